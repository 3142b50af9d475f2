package harm;

import java.io.File;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.OpenOption;
import java.nio.file.Path;

/** Members of the JDK that do something outside the JVM, or to it. */
abstract class Calls {
    abstract boolean delete(File file) throws Throwable;

    abstract Path write(Path path, byte[] bytes, OpenOption... how) throws Throwable;

    abstract OutputStream truncate(File file) throws Throwable;

    abstract boolean rename(File from, File to) throws Throwable;

    abstract Path link(Path link, Path existing) throws Throwable;

    abstract Path symlink(Path link, Path target) throws Throwable;

    abstract long length(File file) throws Throwable;

    abstract String read(Path path) throws Throwable;

    abstract Socket connect(String host, int port) throws Throwable;

    abstract void send(DatagramSocket socket, DatagramPacket packet) throws Throwable;

    abstract SocketChannel open(SocketAddress address) throws Throwable;

    abstract Process start(ProcessBuilder builder) throws Throwable;

    abstract void exit(int status) throws Throwable;

    abstract void halt(int status) throws Throwable;

    abstract ByteBuffer allocate(int bytes) throws Throwable;

    abstract void launch(Thread thread) throws Throwable;

    abstract void load(String library) throws Throwable;

    abstract Class<?> define(MethodHandles.Lookup lookup, byte[] code) throws Throwable;
}
