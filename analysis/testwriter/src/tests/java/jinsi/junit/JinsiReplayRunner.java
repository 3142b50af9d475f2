package jinsi.junit;

public class JinsiReplayRunner {
}
