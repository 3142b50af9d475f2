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
import java.nio.file.attribute.FileAttribute;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** Reached by method references. */
final class References extends Canary {
    References(String name, Surroundings around) {
        super(name, around);
    }

    @Override
    boolean delete(File file) throws Throwable {
        Function<File, Boolean> reference = File::delete;
        return reference.apply(file);
    }

    @Override
    Path write(Path path, byte[] bytes, OpenOption... how) throws Throwable {
        Ask3<Path, byte[], OpenOption[], Path> reference = Files::write;
        return reference.call(path, bytes, how);
    }

    @Override
    OutputStream truncate(File file) throws Throwable {
        Ask1<String, OutputStream> reference = FileOutputStream::new;
        return reference.call(file.getPath());
    }

    @Override
    boolean rename(File from, File to) throws Throwable {
        BiFunction<File, File, Boolean> reference = File::renameTo;
        return reference.apply(from, to);
    }

    @Override
    Path link(Path link, Path existing) throws Throwable {
        Ask2<Path, Path, Path> reference = Files::createLink;
        return reference.call(link, existing);
    }

    @Override
    Path symlink(Path link, Path target) throws Throwable {
        Ask3<Path, Path, FileAttribute<?>[], Path> reference = Files::createSymbolicLink;
        return reference.call(link, target, new FileAttribute<?>[0]);
    }

    @Override
    long length(File file) throws Throwable {
        ToLongFunction<File> reference = File::length;
        return reference.applyAsLong(file);
    }

    @Override
    String read(Path path) throws Throwable {
        Ask1<Path, String> reference = Files::readString;
        return reference.call(path);
    }

    @Override
    Socket connect(String host, int port) throws Throwable {
        Ask2<String, Integer, Socket> reference = Socket::new;
        return reference.call(host, port);
    }

    @Override
    void send(DatagramSocket socket, DatagramPacket packet) throws Throwable {
        Act2<DatagramSocket, DatagramPacket> reference = DatagramSocket::send;
        reference.call(socket, packet);
    }

    @Override
    SocketChannel open(SocketAddress address) throws Throwable {
        Ask1<SocketAddress, SocketChannel> reference = SocketChannel::open;
        return reference.call(address);
    }

    @Override
    Process start(ProcessBuilder builder) throws Throwable {
        Ask1<ProcessBuilder, Process> reference = ProcessBuilder::start;
        return reference.call(builder);
    }

    @Override
    void exit(int status) throws Throwable {
        Act1<Integer> reference = System::exit;
        reference.call(status);
    }

    @Override
    void halt(int status) throws Throwable {
        Act1<Integer> reference = Runtime.getRuntime()::halt;
        reference.call(status);
    }

    @Override
    ByteBuffer allocate(int bytes) throws Throwable {
        Ask1<Integer, ByteBuffer> reference = ByteBuffer::allocateDirect;
        return reference.call(bytes);
    }

    @Override
    void launch(Thread thread) throws Throwable {
        Act1<Thread> reference = Thread::start;
        reference.call(thread);
    }

    @Override
    void load(String library) throws Throwable {
        Act1<String> reference = System::load;
        reference.call(library);
    }

    @Override
    Class<?> define(MethodHandles.Lookup lookup, byte[] code) throws Throwable {
        Ask2<MethodHandles.Lookup, byte[], Class<?>> reference = MethodHandles.Lookup::defineClass;
        return reference.call(lookup, code);
    }

    // What a reference is called by if it may throw. A file is handed to the JDK's functional interfaces: one that other code gets is
    // answered from the recording whatever the list of natural classes says, and nothing would be seen without the walls.

    interface Ask1<A, R> {
        R call(A a) throws Throwable;
    }

    interface Ask2<A, B, R> {
        R call(A a, B b) throws Throwable;
    }

    interface Ask3<A, B, C, R> {
        R call(A a, B b, C c) throws Throwable;
    }

    interface Act1<A> {
        void call(A a) throws Throwable;
    }

    interface Act2<A, B> {
        void call(A a, B b) throws Throwable;
    }
}
