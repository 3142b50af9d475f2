package harm;

import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Reached by plain calls. */
final class Direct extends Canary {
    Direct(String name, Surroundings around) {
        super(name, around);
    }

    @Override
    boolean delete(File file) throws Throwable {
        return file.delete();
    }

    @Override
    Path write(Path path, byte[] bytes, OpenOption... how) throws Throwable {
        return Files.write(path, bytes, how);
    }

    @Override
    OutputStream truncate(File file) throws Throwable {
        return new FileOutputStream(file);
    }

    @Override
    boolean rename(File from, File to) throws Throwable {
        return from.renameTo(to);
    }

    @Override
    Path link(Path link, Path existing) throws Throwable {
        return Files.createLink(link, existing);
    }

    @Override
    Path symlink(Path link, Path target) throws Throwable {
        return Files.createSymbolicLink(link, target);
    }

    @Override
    long length(File file) throws Throwable {
        return file.length();
    }

    @Override
    String read(Path path) throws Throwable {
        return Files.readString(path);
    }

    @Override
    Socket connect(String host, int port) throws Throwable {
        return new Socket(host, port);
    }

    @Override
    void send(DatagramSocket socket, DatagramPacket packet) throws Throwable {
        socket.send(packet);
    }

    @Override
    SocketChannel open(SocketAddress address) throws Throwable {
        return SocketChannel.open(address);
    }

    @Override
    Process start(ProcessBuilder builder) throws Throwable {
        return builder.start();
    }

    @Override
    void exit(int status) throws Throwable {
        System.exit(status);
    }

    @Override
    void halt(int status) throws Throwable {
        Runtime.getRuntime().halt(status);
    }

    @Override
    ByteBuffer allocate(int bytes) throws Throwable {
        return ByteBuffer.allocateDirect(bytes);
    }

    @Override
    void launch(Thread thread) throws Throwable {
        thread.start();
    }

    @Override
    void load(String library) throws Throwable {
        System.load(library);
    }

    @Override
    Class<?> define(MethodHandles.Lookup lookup, byte[] code) throws Throwable {
        return lookup.defineClass(code);
    }
}
