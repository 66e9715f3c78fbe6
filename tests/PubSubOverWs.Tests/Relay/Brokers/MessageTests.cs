using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Brokers;

public sealed class MessageTests
{
    [Fact]
    public void The_size_of_a_message_counts_every_string_with_two_bytes_a_character()
    {
        var bare = new Message("", "", [], new byte[100], IsText: true).Size;
        Assert.Equal(100, bare);

        Assert.Equal(2_000, new Message(new string('i', 1_000), "", [], default, IsText: true).Size);
        Assert.Equal(16_000, new Message("", new string('d', 8_000), [], default, IsText: true).Size);
        Assert.InRange(
            new Message("", "", [new(new string('n', 1_000), new string('v', 2_000))], default, IsText: true).Size, 6_000, 6_100);
        Assert.InRange(
            new Message("", "", Enumerable.Repeat(KeyValuePair.Create("a", "b"), 64).ToArray(), default, IsText: true).Size, 64 * 64,
            64 * 100);
    }
}
