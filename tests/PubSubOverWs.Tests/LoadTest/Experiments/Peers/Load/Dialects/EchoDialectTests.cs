using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers.Load.Dialects;

public sealed class EchoDialectTests
{
    [Fact]
    public void A_body_is_a_message_when_it_is_whole()
    {
        var echo = new EchoDialect(bodyBytes: 3);

        Assert.Equal((Heard.Nothing, 0), (echo.Read("ab"u8, out var none, out _), none));
        Assert.Equal((Heard.Message, 3), (echo.Read("abcd"u8, out var one, out var body), one));
        Assert.True(body.SequenceEqual("abc"u8));
    }

    [Fact]
    public void A_subscriber_of_nchan_passes_over_whatever_comes()
    {
        var nchan = new NchanDialect();

        Assert.Equal(Heard.Nothing, nchan.Read([], out _, out _));
        Assert.Equal((Heard.Other, 5), (nchan.Read("hello"u8, out var consumed, out _), consumed));
    }
}
