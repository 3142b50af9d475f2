package crews;

/** Writes on a board: the first clerk at once, the other one when he is instructed to. */
final class Clerk implements Runnable {
    private final Board board;

    Clerk(Board board) {
        this.board = board;
    }

    @Override
    public void run() {
        board.written.countDown();
        if (board.clerk == null) {
            try {
                board.go.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        board.notice = 7;
        System.out.println("a notice");
    }
}
