package timesheet;

public record Shift(int day, int hours) {
}
