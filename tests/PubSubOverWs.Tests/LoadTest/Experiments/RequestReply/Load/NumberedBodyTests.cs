using System.Text;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply.Load;

public sealed class NumberedBodyTests
{
    [Theory]
    [InlineData(26, 0, "000000000")]
    [InlineData(32, 7, "000000007")]
    [InlineData(256, 999_999_999, "999999999")]
    public void It_is_a_payload_whose_id_is_the_number(int size, int number, string id)
    {
        var body = NumberedBody.Create(size);
        NumberedBody.Renumber(body, number);

        Assert.Equal(size, body.Length);
        Assert.True(Payload.TryRead(body, out var read));
        Assert.Equal(id, Encoding.ASCII.GetString(read));
        Assert.True(NumberedBody.TryRead(body, out var found));
        Assert.Equal(number, found);
    }

    [Fact]
    public void Any_changed_bit_and_any_cut_is_seen()
    {
        var body = NumberedBody.Create(32);
        NumberedBody.Renumber(body, 4711);
        for (var bit = 0; bit < body.Length * 8; bit++)
        {
            body[bit / 8] ^= (byte)(1 << (bit % 8));
            Assert.False(NumberedBody.TryRead(body, out _), $"bit {bit}");
            body[bit / 8] ^= (byte)(1 << (bit % 8));
        }

        for (var length = 0; length < body.Length; length++)
            Assert.False(NumberedBody.TryRead(body.AsSpan(0, length), out _));
    }
}
