package feed;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;

/** Takes what sensors measure, and says what they measured. */
public final class FeedServer {
    private FeedServer() {}

    public static void main(String[] args) throws InterruptedException {
        MeasurementService service = new MeasurementService(new SensorRegistry());
        ServerBootstrap bootstrap = new ServerBootstrap()
                .group(new NioEventLoopGroup(1), new NioEventLoopGroup(4))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(1 << 16), new FeedHandler(service));
                    }
                });
        bootstrap.bind("127.0.0.1", Integer.parseInt(args[0])).sync();
    }
}
