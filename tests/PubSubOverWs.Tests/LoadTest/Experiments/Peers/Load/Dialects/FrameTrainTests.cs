using System.Text;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers.Load.Dialects;

public class FrameTrainTests
{
    [Fact]
    public void Every_frame_is_a_whole_SEND_with_an_id_of_its_own()
    {
        var train = new FrameTrain(connection: 7, "/queue/peers-7", "body"u8, count: 3);

        var ids = Frames(train, 3).Concat(Frames(train, 2)).Select(frame =>
        {
            Assert.Equal("body", frame.Body);
            Assert.Contains(("destination", "/queue/peers-7"), frame.Headers);
            return frame.Headers.Single(header => header.Name == "id").Value;
        }).ToList();

        Assert.Equal([1, 2, 3, 4, 5], ids.Select(id => int.Parse(id.Split('-')[1], System.Globalization.CultureInfo.InvariantCulture)));
        Assert.All(ids, id => Assert.StartsWith("00007-", id, StringComparison.Ordinal));
    }

    /// <summary>Masked with zero, so the payload stands in the frame as it is.</summary>
    private static List<PlainFrame> Frames(FrameTrain train, int count)
    {
        var bytes = train.Next(count).ToArray();
        return [.. Encoding.ASCII.GetString(bytes).Split('\0', StringSplitOptions.RemoveEmptyEntries)
            .Where(part => part.Contains("SEND", StringComparison.Ordinal))
            .SelectMany(part => ReceivedBytes.ReadAll(part[part.IndexOf("SEND", StringComparison.Ordinal)..] + "\0"))];
    }
}

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
