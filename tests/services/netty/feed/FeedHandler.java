package feed;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;

/** {@code POST /sensor} with a value as its body, {@code GET /sensor?last=n}. */
public class FeedHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final MeasurementService service;

    public FeedHandler(MeasurementService service) {
        this.service = service;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        QueryStringDecoder uri = new QueryStringDecoder(request.uri());
        String sensor = uri.path().substring(1);
        if (request.method().equals(HttpMethod.POST)) {
            double value = Double.parseDouble(request.content().toString(StandardCharsets.UTF_8));
            answer(context, HttpResponseStatus.OK, Long.toString(service.add(sensor, value)));
        } else {
            int last = uri.parameters().containsKey("last") ? Integer.parseInt(uri.parameters().get("last").get(0)) : 10;
            answer(context, HttpResponseStatus.OK, service.summary(sensor, last).toString());
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        answer(context, HttpResponseStatus.INTERNAL_SERVER_ERROR, cause.toString()).addListener(ChannelFutureListener.CLOSE);
    }

    private static io.netty.channel.ChannelFuture answer(ChannelHandlerContext context, HttpResponseStatus status, String text) {
        FullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status,
                Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
        response.headers().setInt(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes());
        return context.writeAndFlush(response);
    }
}
