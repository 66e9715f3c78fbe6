using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class MessageHeadersTests
{
    private const string Fifty = "01234567890123456789012345678901234567890123456789";

    private static readonly string[] _all = ["", "a:1", "b:2", "a:1 b:2", "b:2 a:1", "a:1 b:3", "a:2 b:2", "a:1 b:2 c:3", "ä:ö", "ä:o"];

    private readonly StompReader _reader = new(new StompLimits());
    private MessageHeaders _headers;

    public static TheoryData<string> Heads => [.. _all];

    [Theory]
    [MemberData(nameof(Heads))]
    public void A_message_has_the_headers_of_its_own_frame_whatever_those_of_the_last_were(string head)
    {
        foreach (var other in _all.Where(other => other != head))
        {
            Read(other);

            Assert.Equal(head, Text(Read(head)));
            Assert.Equal(head, Text(Read(head)));
        }
    }

    [Fact]
    public void Headers_that_come_again_are_not_created_again()
    {
        var first = Read("reply-to:/topic/me content-type:text/plain");

        Assert.Same(first, Read("reply-to:/topic/me content-type:text/plain"));
    }

    [Theory]
    [InlineData("a:" + Fifty + " b:" + Fifty + " c:" + Fifty)]
    [InlineData("a:1 b:2 c:3 d:4 e:5")]
    public void Long_and_many_headers_are_not_kept(string head)
    {
        var first = Read(head);

        Assert.NotSame(first, Read(head));
    }

    [Theory]
    [InlineData("a:1 a:2 b:3 b:3", "a:1 b:3")]
    [InlineData("destination:/queue/x a:1 receipt:7 id:8 ack:9", "a:1")]
    public void Repeated_headers_and_those_of_the_protocol_are_not_shown(string head, string shown)
    {
        Assert.Equal(shown, Text(Read(head)));
        Assert.Equal(shown, Text(Read(head)));
    }

    private KeyValuePair<string, string>[] Read(string head)
    {
        var lines = head.Split(' ', StringSplitOptions.RemoveEmptyEntries).Select(line => $"{line}\n");
        var bytes = Encoding.UTF8.GetBytes($"SEND\n{string.Concat(lines)}\n\0");
        Assert.True(_reader.TryRead(bytes, out var frame, out _));
        return _headers.Read(frame);
    }

    private static string Text(IEnumerable<KeyValuePair<string, string>> headers) =>
        string.Join(' ', headers.Select(header => $"{header.Key}:{header.Value}"));
}
