package jinsi.junit;

public final class JinsiReplay extends RecordedTest {
}
