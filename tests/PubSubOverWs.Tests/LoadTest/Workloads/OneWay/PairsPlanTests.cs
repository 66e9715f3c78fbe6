using PubSubOverWs.LoadTest.Workloads.OneWay;

namespace PubSubOverWs.Tests.LoadTest.Workloads.OneWay;

public sealed class PairsPlanTests
{
    [Theory]
    [InlineData(250, 64)]
    [InlineData(1_024, 64)]
    [InlineData(1_100, 59)]
    [InlineData(32_768, 2)]
    [InlineData(65_800, 1)]
    [InlineData(1_000_000, 1)]
    public void What_is_under_way_fits_a_sockets_buffer_but_one_message_always_may_be(int bytes, int messages) =>
        Assert.Equal(messages, new PairsPlan().MostUnansweredOf(bytes));
}
