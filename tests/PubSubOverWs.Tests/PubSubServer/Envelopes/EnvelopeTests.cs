using System.Runtime.InteropServices;
using System.Text;
using System.Text.Json;
using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class EnvelopeTests
{
    private static readonly Arbitrary<string> Strings = ArbMap.Default.ArbFor<string>()
        .MapFilter(text => Encoding.UTF8.GetString(Encoding.UTF8.GetBytes(text ?? "")), text => true);
    private static readonly Arbitrary<byte[]> Bytes = ArbMap.Default.ArbFor<byte[]>();

    [Theory]
    [InlineData("plain")]
    [InlineData("escaped\n\n\n")]
    public void No_body_keeps_more_than_twice_itself_in_memory(string start)
    {
        var (large, small) = (start + new string('x', 3_000), start + new string('x', 300));
        foreach (var bodies in new[] { [large], [small, large, small], new[] { small, small, small } })
        {
            Assert.True(
                EnvelopeJson.TryRead(
                    EnvelopeJson.Write(null, [.. bodies.Select(body => Sample.Message("m", body: body))]), out var envelope, out _));
            Assert.Equal(bodies, envelope.Messages.Select(message => Encoding.UTF8.GetString(message.Body.Span)));
            foreach (var message in envelope.Messages)
            {
                Assert.True(MemoryMarshal.TryGetArray(message.Body, out var array));
                Assert.InRange(array.Array!.Length, message.Body.Length, 2 * message.Body.Length);
            }
        }
    }

    [Fact]
    public void Any_text_and_any_binary_come_back_as_they_were_and_in_order() =>
        Prop.ForAll(Strings, Strings, Bytes, (text, header, bytes) =>
            AssertRoundTrip(
                Text(text, KeyValuePair.Create("name", header), KeyValuePair.Create("name", "again"), KeyValuePair.Create(header, text)),
                new Message("b", "/topic/b", [], bytes, IsText: false), Text("last"))).QuickCheckThrowOnFailure();

    [Fact]
    public void An_envelope_holds_only_characters_that_sqs_takes() =>
        Prop.ForAll(Strings, Strings, (text, header) =>
        {
            var envelope = EnvelopeJson.Write(
                null, [Text(text + "\u0001\uFFFE\uFFFF", KeyValuePair.Create(header + "\0", "\u0002" + header))]);
            return Encoding.UTF8.GetString(envelope).EnumerateRunes().All(rune => rune.Value is
                '\t' or '\n' or '\r' or (>= 0x20 and <= 0xD7FF) or (>= 0xE000 and <= 0xFFFD) or >= 0x10000);
        }).QuickCheckThrowOnFailure();

    [Theory]
    [InlineData("", true)]
    [InlineData("plain", true)]
    [InlineData("{\"a\":1}", true)]
    [InlineData("tab\tand\nline", true)]
    [InlineData("caf\u00E9 \u6771\u4EAC", true)]
    [InlineData("\"\"\"\"\"\"", false)]
    [InlineData("bell\a and a long text after it", false)]
    [InlineData("\uFFFE and a long text after it", false)]
    [InlineData("\U0001F600\U0001F600", false)]
    public void A_body_is_text_if_SQS_allows_it_and_base64_is_not_shorter(string body, bool asText)
    {
        using var json = JsonDocument.Parse(EnvelopeJson.Write(null, [Text(body)]));
        var message = json.RootElement.GetProperty("messages")[0];
        Assert.Equal(asText, message.TryGetProperty("body", out _));
        Assert.Equal(!asText, message.TryGetProperty("body64", out _));
    }

    [Fact]
    public void An_envelope_has_the_expected_JSON()
    {
        var message = new Message("m-1", "/queue/a", [new("content-type", "text/plain")], "hello"u8.ToArray(), IsText: true);
        Assert.Equal(
            """
            {"version":1,"messages":[{"id":"m-1","destination":"/queue/a","headers":{"content-type":"text/plain"},"body":"hello"}]}
            """.Trim(),
            Encoding.UTF8.GetString(EnvelopeJson.Write(EnvelopeOrigin.From(message), [message])));
    }

    [Fact]
    public void The_origin_of_a_raw_message_names_its_connection() =>
        Assert.Equal(new EnvelopeOrigin("n1", "n1.7"), EnvelopeOrigin.From(new Message("id", "/raw/n1.7", [], default, true)));

    [Theory]
    [InlineData("")]
    [InlineData("hello")]
    [InlineData("[]")]
    [InlineData("{}")]
    [InlineData("{\"version\":2,\"messages\":[{\"id\":\"a\",\"destination\":\"/queue/a\",\"body\":\"\"}]}")]
    [InlineData("{\"version\":1,\"messages\":[]}")]
    [InlineData("{\"version\":1,\"messages\":[{\"id\":\"a\",\"destination\":\"/queue/a\"}]}")]
    [InlineData("{\"version\":1,\"messages\":[{\"id\":1,\"destination\":\"/queue/a\",\"body\":\"\"}]}")]
    [InlineData("{\"version\":1,\"messages\":[{\"id\":\"a\",\"destination\":\"/queue/a\",\"body64\":\"?\"}]}")]
    [InlineData("{\"version\":1,\"messages\":[{\"id\":\"a\",\"destination\":\"/queue/a\",\"body\":\"\"}]} {}")]
    [InlineData("{\"version\":1,\"messages\":[{\"id\":\"a\",\"destination\":\"/queue/a\",\"body\":\"\"}")]
    public void An_invalid_envelope_is_refused_with_a_reason(string body)
    {
        Assert.False(EnvelopeJson.TryRead(Encoding.UTF8.GetBytes(body), out _, out var reason));
        Assert.NotEmpty(reason);
    }

    [Fact]
    public void Properties_that_are_not_known_are_passed_over()
    {
        var body =
            """{"later":{"a":[1]},"version":1,"messages":[{"later":[{}],"id":"a","destination":"/queue/a","body":"b"}]}"""u8.ToArray();
        Assert.True(EnvelopeJson.TryRead(body, out var envelope, out _));
        Assert.Equal("b"u8.ToArray(), envelope.Messages[0].Body.ToArray());
    }

    [Fact]
    public void The_number_of_deliveries_travels_with_a_message_that_was_delivered()
    {
        var fresh = EnvelopeJson.WriteMessages([Sample.Message("fresh")]);
        var delivered = EnvelopeJson.WriteMessages([Sample.Message("delivered")], deliveries: 3);
        Assert.DoesNotContain("deliveries", Encoding.UTF8.GetString(fresh), StringComparison.Ordinal);

        Assert.True(
            EnvelopeJson.TryRead(
                EnvelopeJson.Wrap(null, [new Outgoing(null, fresh), new Outgoing(null, delivered)]), out var both, out _));
        Assert.True(EnvelopeJson.TryRead(EnvelopeJson.Wrap(null, [new Outgoing(null, fresh)]), out var alone, out _));

        Assert.Equal([null, 3], both.Deliveries);
        Assert.Null(alone.Deliveries);
    }

    private static Message Text(string body, params KeyValuePair<string, string>[] headers) =>
        new("id \u00E9", "/queue/a", headers, Encoding.UTF8.GetBytes(body), IsText: true);

    private static bool AssertRoundTrip(params Message[] messages)
    {
        var written = EnvelopeJson.Write(new EnvelopeOrigin("node", "connection"), messages);
        Assert.True(EnvelopeJson.TryRead(written, out var envelope, out var reason), reason);
        Assert.Equal(new EnvelopeOrigin("node", "connection"), envelope.Origin);
        Assert.Equal(messages.Length, envelope.Messages.Count);
        foreach (var (expected, actual) in messages.Zip(envelope.Messages))
        {
            Assert.Equal(
                (expected.Id, expected.Destination, expected.IsText, Convert.ToHexString(expected.Body.Span)),
                (actual.Id, actual.Destination, actual.IsText, Convert.ToHexString(actual.Body.Span)));
            Assert.Equal(expected.Headers, actual.Headers);
        }
        return true;
    }
}
