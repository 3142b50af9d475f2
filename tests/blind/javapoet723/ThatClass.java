/** A class in the default package. */
public class ThatClass {
}
