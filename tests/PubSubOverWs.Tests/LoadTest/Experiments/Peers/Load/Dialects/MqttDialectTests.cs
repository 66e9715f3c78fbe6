using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Peers.Load.Dialects;

/// <summary>Against MQTT Version 3.1.1 (OASIS), whose sections are named.</summary>
public sealed class MqttDialectTests
{
    private readonly MqttDialect _mqtt = new();

    [Fact]
    public async Task It_connects_with_a_clean_session_without_keep_alive_and_without_a_client_id()
    {
        var target = await ClientTarget.ResolveAsync(new Uri("http://127.0.0.1:1"), CancellationToken.None);

        // 3.1.2: protocol name MQTT, level 4, the flag of a clean session, keep-alive 0; 3.1.3: an identifier of no bytes.
        Assert.Equal("100C00044D5154540402" + "0000" + "0000", Payload(_mqtt.Connect(target)));
    }

    [Fact]
    public void It_subscribes_with_QoS_0() => // 3.8: type 8 with the reserved bits 0010, the identifier 1, the filter a/b of the example.
        Assert.Equal("8208" + "0001" + "0003612F62" + "00", Payload(_mqtt.Subscribe("a/b")));

    [Fact]
    public void It_publishes_with_QoS_0() => // 3.3: the topic a/b of the example, no packet identifier.
        Assert.Equal("3007" + "0003612F62" + "6869", Payload(_mqtt.Train(0, "a/b", "hi"u8, count: 1).Next(1)));

    [Theory]
    // Table 2.4, and 321 of the text above it.
    [InlineData(127, "7F")]
    [InlineData(128, "8001")]
    [InlineData(321, "C102")]
    [InlineData(16_383, "FF7F")]
    [InlineData(16_384, "808001")]
    [InlineData(2_097_151, "FFFF7F")]
    [InlineData(2_097_152, "80808001")]
    public void The_remaining_length_is_written_and_read_in_up_to_four_bytes(int length, string bytes)
    {
        const int topic = 5;
        var payload = _mqtt.Train(0, "a/b", new byte[length - topic], count: 1).Next(1).ToArray();
        FrameHeader.TryRead(payload, out var header);
        var packet = payload.AsSpan(header.Bytes);

        Assert.Equal(bytes, Convert.ToHexString(packet[1..(1 + (bytes.Length / 2))]));
        Assert.Equal(
            (Heard.Message, packet.Length, length - topic), (_mqtt.Read(packet, out var consumed, out var body), consumed, body.Length));
        Assert.Equal(Heard.Nothing, _mqtt.Read(packet[..^1], out _, out _));
    }

    [Theory]
    [InlineData("20020000")]
    [InlineData("9003000100")]
    public void CONNACK_and_SUBACK_are_answers(string packet) => Assert.Equal(
        (Heard.Answer, packet.Length / 2), (_mqtt.Read(Convert.FromHexString(packet), out var consumed, out _), consumed));

    [Theory]
    [InlineData("20020005")]
    [InlineData("9003000180")]
    [InlineData("E000")]
    public void A_refusal_is_said_with_its_bytes(string packet) => Assert.Contains(
        packet, Assert.Throws<InvalidDataException>(() => _mqtt.Read(Convert.FromHexString(packet), out _, out _)).Message,
        StringComparison.Ordinal);

    [Fact]
    public void A_length_of_more_than_four_bytes_is_refused() =>
        Assert.Throws<InvalidDataException>(() => _mqtt.Read(Convert.FromHexString("308080808001"), out _, out _));

    // Masked with zero, so that the payload stands in the frame as it is.
    private static string Payload(ReadOnlySpan<byte> frame)
    {
        FrameHeader.TryRead(frame, out var header);
        return Convert.ToHexString(frame[header.Bytes..]);
    }
}
