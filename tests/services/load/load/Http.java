package load;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection to a server on this machine that stays open, or is opened anew if the server has closed it. */
public final class Http implements AutoCloseable {
    private final int port;
    private Socket socket;
    private InputStream in;
    private OutputStream out;
    private String body = "";

    /** Of the server at this port. */
    public Http(int port) {
        this.port = port;
    }

    /** A port that nobody listens at. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /** Waits until a server listens at this port. */
    public static void await(int port) throws Exception {
        for (int i = 0; i < 600; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                return;
            } catch (IOException e) {
                Thread.sleep(100);
            }
        }
        throw new IOException("nobody listens at port " + port);
    }

    /** The status of the answer; 0 if the connection was closed instead of an answer. */
    public int get(String target) throws IOException {
        return ask("GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** The same of a request to delete something. */
    public int delete(String target) throws IOException {
        return ask("DELETE " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    }

    /** The same of a request with a JSON document. */
    public int post(String target, String document) throws IOException {
        int length = document.getBytes(StandardCharsets.UTF_8).length;
        return ask("POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + length
                + "\r\n\r\n" + document);
    }

    /** What the last answer said. */
    public String body() {
        return body;
    }

    private int ask(String request) throws IOException {
        if (socket == null) {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            in = new BufferedInputStream(socket.getInputStream(), 1 << 14);
            out = socket.getOutputStream();
        }
        try {
            out.write(request.getBytes(StandardCharsets.UTF_8));
            return answer();
        } catch (EOFException e) {
            close();
            return 0;
        }
    }

    private int answer() throws IOException {
        int status = Integer.parseInt(line().split(" ")[1]);
        int length = -1;
        boolean closes = false;
        for (String header; !(header = line()).isEmpty();) {
            String[] parts = header.toLowerCase(Locale.ROOT).split(": *", 2);
            if (parts[0].equals("content-length")) {
                length = Integer.parseInt(parts[1]);
            } else if (parts[0].equals("connection")) {
                closes = parts[1].equals("close");
            }
        }
        StringBuilder text = new StringBuilder();
        if (length >= 0) {
            text.append(new String(in.readNBytes(length), StandardCharsets.UTF_8));
        } else {
            for (int size; (size = Integer.parseInt(line(), 16)) > 0;) {
                text.append(new String(in.readNBytes(size), StandardCharsets.UTF_8));
                line();
            }
            line();
        }
        body = text.toString();
        if (closes) {
            close();
        }
        return status;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c; (c = in.read()) != '\n';) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        if (socket != null) {
            socket.close();
            socket = null;
        }
    }
}
