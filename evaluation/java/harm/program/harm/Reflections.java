package harm;

import java.io.File;
import java.io.FileOutputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
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

/** Reached by reflection. */
final class Reflections extends Canary {
    Reflections(String name, Surroundings around) {
        super(name, around);
    }

    @Override
    boolean delete(File file) throws Throwable {
        return (boolean) called(File.class.getMethod("delete"), file);
    }

    @Override
    Path write(Path path, byte[] bytes, OpenOption... how) throws Throwable {
        return (Path) called(Files.class.getMethod("write", Path.class, byte[].class, OpenOption[].class), null, path, bytes, how);
    }

    @Override
    OutputStream truncate(File file) throws Throwable {
        return (OutputStream) made(FileOutputStream.class.getConstructor(File.class), file);
    }

    @Override
    boolean rename(File from, File to) throws Throwable {
        return (boolean) called(File.class.getMethod("renameTo", File.class), from, to);
    }

    @Override
    Path link(Path link, Path existing) throws Throwable {
        return (Path) called(Files.class.getMethod("createLink", Path.class, Path.class), null, link, existing);
    }

    @Override
    Path symlink(Path link, Path target) throws Throwable {
        return (Path) called(Files.class.getMethod("createSymbolicLink", Path.class, Path.class, FileAttribute[].class), null, link, target, new FileAttribute<?>[0]);
    }

    @Override
    long length(File file) throws Throwable {
        return (long) called(File.class.getMethod("length"), file);
    }

    @Override
    String read(Path path) throws Throwable {
        return (String) called(Files.class.getMethod("readString", Path.class), null, path);
    }

    @Override
    Socket connect(String host, int port) throws Throwable {
        return (Socket) made(Socket.class.getConstructor(String.class, int.class), host, port);
    }

    @Override
    void send(DatagramSocket socket, DatagramPacket packet) throws Throwable {
        called(DatagramSocket.class.getMethod("send", DatagramPacket.class), socket, packet);
    }

    @Override
    SocketChannel open(SocketAddress address) throws Throwable {
        return (SocketChannel) called(SocketChannel.class.getMethod("open", SocketAddress.class), null, address);
    }

    @Override
    Process start(ProcessBuilder builder) throws Throwable {
        return (Process) called(ProcessBuilder.class.getMethod("start"), builder);
    }

    @Override
    void exit(int status) throws Throwable {
        called(System.class.getMethod("exit", int.class), null, status);
    }

    @Override
    void halt(int status) throws Throwable {
        called(Runtime.class.getMethod("halt", int.class), Runtime.getRuntime(), status);
    }

    @Override
    ByteBuffer allocate(int bytes) throws Throwable {
        return (ByteBuffer) called(ByteBuffer.class.getMethod("allocateDirect", int.class), null, (Object) bytes);
    }

    @Override
    void launch(Thread thread) throws Throwable {
        called(Thread.class.getMethod("start"), thread);
    }

    @Override
    void load(String library) throws Throwable {
        called(System.class.getMethod("load", String.class), null, library);
    }

    @Override
    Class<?> define(MethodHandles.Lookup lookup, byte[] code) throws Throwable {
        return (Class<?>) called(MethodHandles.Lookup.class.getMethod("defineClass", byte[].class), lookup, (Object) code);
    }

    private static Object called(Method method, Object receiver, Object... arguments) throws Throwable {
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object made(Constructor<?> constructor, Object... arguments) throws Throwable {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
