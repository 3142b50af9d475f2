package demo.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.LengthFieldBasedFrameDecoder;
import io.netty.handler.codec.LengthFieldPrepender;
import io.netty.handler.codec.string.StringDecoder;
import io.netty.handler.codec.string.StringEncoder;
import io.netty.util.CharsetUtil;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server on the loopback interface and eight clients of it, on six event loop threads; what each got is printed in the end. */
public final class Main {
    private static final int CLIENTS = 8;
    private static final int REQUESTS = 50;

    private Main() {
    }

    /** Takes no arguments; exit status 3 if all is well. */
    public static void main(String[] args) throws Exception {
        EventLoopGroup accepting = new NioEventLoopGroup(1);
        EventLoopGroup serving = new NioEventLoopGroup(3);
        EventLoopGroup calling = new NioEventLoopGroup(2);
        ConcurrentHashMap<Integer, List<String>> answers = new ConcurrentHashMap<>();
        CountDownLatch done = new CountDownLatch(CLIENTS);
        try {
            Channel server = new ServerBootstrap().group(accepting, serving).channel(NioServerSocketChannel.class)
                .childHandler(pipeline(0, null, null)).bind(new InetSocketAddress("127.0.0.1", 0)).sync().channel();
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            for (int client = 1; client <= CLIENTS; client++) {
                new Bootstrap().group(calling).channel(NioSocketChannel.class)
                    .handler(pipeline(client, answers, done)).connect("127.0.0.1", port).sync();
            }
            boolean all = done.await(60, TimeUnit.SECONDS);
            new TreeMap<>(answers).forEach((client, lines) -> System.out.println(client + " " + lines.size() + " " + lines.get(0)
                + " " + lines.get(lines.size() - 1)));
            server.close().sync();
            ByteBuf buffer = Unpooled.copiedBuffer("composite", CharsetUtil.US_ASCII);
            System.out.println(Unpooled.wrappedBuffer(buffer.slice(0, 3), buffer.slice(3, 6)).toString(CharsetUtil.US_ASCII));
            System.exit(all ? 3 : 4);
        } finally {
            calling.shutdownGracefully();
            serving.shutdownGracefully();
            accepting.shutdownGracefully();
        }
    }

    private static ChannelInitializer<SocketChannel> pipeline(int client, ConcurrentHashMap<Integer, List<String>> answers,
            CountDownLatch done) {
        return new ChannelInitializer<>() {
            @Override
            protected void initChannel(SocketChannel channel) {
                channel.pipeline().addLast(new LengthFieldBasedFrameDecoder(1024, 0, 2, 0, 2), new LengthFieldPrepender(2),
                    new StringDecoder(CharsetUtil.UTF_8), new StringEncoder(CharsetUtil.UTF_8),
                    client == 0 ? new Server() : new Client(client, answers, done));
            }
        };
    }

    /** Answers each line with itself backwards. */
    private static final class Server extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            context.writeAndFlush(new StringBuilder((String) message).reverse().toString());
        }
    }

    /** Sends one request after the other. */
    private static final class Client extends SimpleChannelInboundHandler<String> {
        private final int number;
        private final ConcurrentHashMap<Integer, List<String>> answers;
        private final CountDownLatch done;
        private int sent;

        Client(int number, ConcurrentHashMap<Integer, List<String>> answers, CountDownLatch done) {
            this.number = number;
            this.answers = answers;
            this.done = done;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context);
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, String answer) {
            answers.computeIfAbsent(number, key -> new ArrayList<>()).add(answer);
            if (sent == REQUESTS) {
                context.close();
                done.countDown();
            } else {
                send(context);
            }
        }

        private void send(ChannelHandlerContext context) {
            sent++;
            context.writeAndFlush("request " + sent + " of " + number);
        }
    }
}
