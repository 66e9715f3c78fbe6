using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workloads;

public class FullnessTests
{
    [Theory]
    [InlineData(3, new long[] { 1_000, 1_000, 1_000 })]
    [InlineData(6, new long[] { 900, 996, 996, 998, 998, 998 })]
    [InlineData(3, new long[] { 0, 0, 0 })]
    public void Buffers_are_full_after_two_rounds_of_which_nothing_was_taken(int rounds, long[] taken)
    {
        var fullness = new Fullness();

        Assert.Equal(rounds, taken.TakeWhile(each => !fullness.IsReachedAt(each)).Count() + 1);
    }

    [Fact]
    public void Fullness_is_not_reached_as_long_as_some_buffers_have_room()
    {
        var fullness = new Fullness();

        Assert.DoesNotContain(true, Enumerable.Range(1, 100).Select(round => fullness.IsReachedAt(round)));
    }
}
