using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.Record.Formats;

public sealed class KebabTests
{
    [Theory]
    [InlineData(Outcome.LostAcknowledged, "lost-acknowledged")]
    [InlineData(Outcome.DeadLettered, "dead-lettered")]
    [InlineData(Outcome.Late, "late")]
    public void Outcomes_have_the_names_of_the_method(Outcome outcome, string name)
    {
        Assert.Equal(name, Kebab.Of(outcome));
        Assert.True(Kebab.TryParse(name, out Outcome back));
        Assert.Equal(outcome, back);
    }

    [Theory]
    [InlineData("Late")]
    [InlineData("0")]
    [InlineData("")]
    public void A_name_is_read_as_it_is_written_or_not_at_all(string name) => Assert.False(Kebab.TryParse(name, out Outcome _));

    [Fact]
    public void Every_cause_is_counted_under_its_own_name()
    {
        var counts = new CauseCounts(1, 2, 3, 4, 5, 6, 7, 8);
        Assert.Equal([0, 1, 2, 3, 4, 5, 6, 7, 8], Enum.GetValues<Cause>().Select(cause => counts[cause]));
        Assert.Equal((36, 72), (counts.Total, counts.Add(counts).Total));
    }
}
