package harm;

import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
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

/** Reached by method handles. */
final class Handles extends Canary {
    private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

    Handles(String name, Surroundings around) {
        super(name, around);
    }

    @Override
    boolean delete(File file) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(File.class, "delete", MethodType.methodType(boolean.class));
        return (boolean) handle.invokeExact(file);
    }

    @Override
    Path write(Path path, byte[] bytes, OpenOption... how) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(Files.class, "write", MethodType.methodType(Path.class, Path.class, byte[].class, OpenOption[].class));
        return (Path) handle.invokeExact(path, bytes, how);
    }

    @Override
    OutputStream truncate(File file) throws Throwable {
        MethodHandle handle = LOOKUP.findConstructor(FileOutputStream.class, MethodType.methodType(void.class, File.class));
        FileOutputStream made = (FileOutputStream) handle.invokeExact(file);
        return made;
    }

    @Override
    boolean rename(File from, File to) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(File.class, "renameTo", MethodType.methodType(boolean.class, File.class));
        return (boolean) handle.invokeExact(from, to);
    }

    @Override
    Path link(Path link, Path existing) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(Files.class, "createLink", MethodType.methodType(Path.class, Path.class, Path.class));
        return (Path) handle.invokeExact(link, existing);
    }

    @Override
    Path symlink(Path link, Path target) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(Files.class, "createSymbolicLink", MethodType.methodType(Path.class, Path.class, Path.class, FileAttribute[].class));
        return (Path) handle.invokeExact(link, target, new FileAttribute<?>[0]);
    }

    @Override
    long length(File file) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(File.class, "length", MethodType.methodType(long.class));
        return (long) handle.invokeExact(file);
    }

    @Override
    String read(Path path) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(Files.class, "readString", MethodType.methodType(String.class, Path.class));
        return (String) handle.invokeExact(path);
    }

    @Override
    Socket connect(String host, int port) throws Throwable {
        MethodHandle handle = LOOKUP.findConstructor(Socket.class, MethodType.methodType(void.class, String.class, int.class));
        return (Socket) handle.invokeExact(host, port);
    }

    @Override
    void send(DatagramSocket socket, DatagramPacket packet) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(DatagramSocket.class, "send", MethodType.methodType(void.class, DatagramPacket.class));
        handle.invokeExact(socket, packet);
    }

    @Override
    SocketChannel open(SocketAddress address) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(SocketChannel.class, "open", MethodType.methodType(SocketChannel.class, SocketAddress.class));
        return (SocketChannel) handle.invokeExact(address);
    }

    @Override
    Process start(ProcessBuilder builder) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(ProcessBuilder.class, "start", MethodType.methodType(Process.class));
        return (Process) handle.invokeExact(builder);
    }

    @Override
    void exit(int status) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(System.class, "exit", MethodType.methodType(void.class, int.class));
        handle.invokeExact(status);
    }

    @Override
    void halt(int status) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(Runtime.class, "halt", MethodType.methodType(void.class, int.class));
        handle.invokeExact(Runtime.getRuntime(), status);
    }

    @Override
    ByteBuffer allocate(int bytes) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(ByteBuffer.class, "allocateDirect", MethodType.methodType(ByteBuffer.class, int.class));
        return (ByteBuffer) handle.invokeExact(bytes);
    }

    @Override
    void launch(Thread thread) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(Thread.class, "start", MethodType.methodType(void.class));
        handle.invokeExact(thread);
    }

    @Override
    void load(String library) throws Throwable {
        MethodHandle handle = LOOKUP.findStatic(System.class, "load", MethodType.methodType(void.class, String.class));
        handle.invokeExact(library);
    }

    @Override
    Class<?> define(MethodHandles.Lookup lookup, byte[] code) throws Throwable {
        MethodHandle handle = LOOKUP.findVirtual(MethodHandles.Lookup.class, "defineClass", MethodType.methodType(Class.class, byte[].class));
        return (Class<?>) handle.invokeExact(lookup, code);
    }
}
