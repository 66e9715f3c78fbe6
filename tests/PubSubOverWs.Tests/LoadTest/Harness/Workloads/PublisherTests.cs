using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workloads;

public sealed class PublisherTests
{
    [Theory]
    [InlineData(250, 64)]
    [InlineData(1_024, 64)]
    [InlineData(1_100, 59)]
    [InlineData(32_768, 2)]
    [InlineData(65_800, 1)]
    [InlineData(1_000_000, 1)]
    public void Messages_under_way_fit_a_sockets_buffer_but_one_is_always_allowed(int bytes, int messages) =>
        Assert.Equal(messages, Publisher.UnansweredOf(bytes, Publisher.DefaultUnanswered));
}
