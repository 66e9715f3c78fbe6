using System.Text;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Harness.Clients;

public sealed class PayloadTests
{
    [Fact]
    public void The_checksum_is_that_of_CRC_32C() =>
        Assert.Equal(0xE3069283, Payload.Checksum("123456789"u8)); // The check value of the catalogue of CRC algorithms, CRC-32/ISCSI.

    [Fact]
    public void A_payload_has_exactly_the_size_asked_for_and_names_its_message()
    {
        var payload = Payload.Write(100, "run-7-42", user: 42, sequence: 0);

        Assert.Equal(100, payload.Length);
        Assert.StartsWith("id=run-7-42;user=42;seq=0;....", Encoding.ASCII.GetString(payload)[13..], StringComparison.Ordinal);
        Assert.True(Payload.TryRead(payload, out var id));
        Assert.Equal("run-7-42"u8.ToArray(), id.ToArray());
    }

    [Fact]
    public void Any_changed_bit_is_seen()
    {
        var payload = Payload.Write(100, "run-7-42", 42, 0);
        for (var bit = 0; bit < payload.Length * 8; bit++)
        {
            payload[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(Payload.TryRead(payload, out _), $"bit {bit}");
            payload[bit / 8] ^= (byte)(1 << (bit % 8));
        }
    }

    [Fact]
    public void A_cut_payload_is_seen()
    {
        var payload = Payload.Write(100, "run-7-42", 42, 0);
        for (var length = 0; length < payload.Length; length++)
            Assert.False(Payload.TryRead(payload.AsSpan(0, length), out _));
    }

    [Fact]
    public void The_longest_fields_fit_the_smallest_payload_that_a_scenario_may_ask_for()
    {
        var plan = new IterationPlan { Run = "0123456789abcdef", Iteration = 9999, Users = 99_999 };

        Assert.Equal(64, Payload.Write(64, plan.MessageId(99_998, 0), 99_998, 0).Length);
    }

    [Fact]
    public void A_payload_without_room_for_its_fields_is_refused_with_the_size_it_needs() =>
        Assert.Contains(
            "use 39 or more", Assert.Throws<ArgumentException>(() => Payload.Write(30, "run-7-42", 42, 0)).Message,
            StringComparison.Ordinal);
}
