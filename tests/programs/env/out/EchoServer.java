package env.out;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** Answers one connection on the loopback interface with what it gets, and one more. Not observed. */
public final class EchoServer {
    private final ServerSocket socket;

    public EchoServer() throws IOException {
        socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Thread thread = new Thread(this::serve, "server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Where it listens. */
    public int port() {
        return socket.getLocalPort();
    }

    private void serve() {
        try (Socket client = socket.accept()) {
            InputStream in = client.getInputStream();
            OutputStream out = client.getOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                out.write(next + 1);
                out.flush();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
