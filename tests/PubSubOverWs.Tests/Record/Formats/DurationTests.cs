using System.Text;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.Record.Formats;

public sealed class DurationTests
{
    [Theory]
    [InlineData("500ms", 0.5)]
    [InlineData("2s", 2)]
    [InlineData("1.5s", 1.5)]
    [InlineData("0.5m", 30)]
    [InlineData("0s", 0)]
    public void A_duration_is_a_number_and_its_unit(string text, double seconds) =>
        Assert.Equal(TimeSpan.FromSeconds(seconds), Duration.Parse(text));

    [Theory]
    [InlineData("")]
    [InlineData("s")]
    [InlineData("2")]
    [InlineData("-2s")]
    [InlineData("2 s")]
    [InlineData("1e3s")]
    [InlineData("2h")]
    [InlineData("999999999999m")]
    public void Any_other_text_is_refused_with_an_example(string text)
    {
        var refused = Assert.Throws<ScenarioException>(() => Duration.Parse(text));
        Assert.Contains($"'{text}'", refused.Message, StringComparison.Ordinal);
        Assert.Contains("500ms or 2s", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("10s")]
    [InlineData("1500ms")]
    [InlineData("0.5ms")]
    [InlineData("0s")]
    public void The_text_of_a_duration_is_read_back_as_it_was(string text) => Assert.Equal(text, Duration.Text(Duration.Parse(text)));

    [Fact]
    public void A_burst_is_due_at_once_and_a_spread_evenly_whatever_the_server_does()
    {
        Assert.All(Enumerable.Range(0, 10), i => Assert.Equal(TimeSpan.Zero, Arrival.Burst.DueAt(i, 10)));
        var spread = Arrival.Parse("spread:2s");
        Assert.Equal([0, 500, 1000, 1500], Enumerable.Range(0, 4).Select(i => spread.DueAt(i, 4).TotalMilliseconds));
        Assert.Equal("spread:2s", spread.ToString());
    }
}

public sealed class KebabTests
{
    [Theory]
    [InlineData(Outcome.LostAcknowledged, "lost-acknowledged")]
    [InlineData(Outcome.DeadLettered, "dead-lettered")]
    [InlineData(Outcome.Late, "late")]
    public void Outcomes_have_the_names_of_the_method(Outcome outcome, string name)
    {
        Assert.Equal(name, Kebab.Text(outcome));
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

public sealed class SpellingTests
{
    [Theory]
    [InlineData("kitten", "sitting", 3)]
    [InlineData("flaw", "lawn", 2)]
    [InlineData("", "abc", 3)]
    [InlineData("same", "same", 0)]
    public void Edits_are_those_of_levenshtein(string left, string right, int edits) => Assert.Equal(edits, Spelling.Edits(left, right));

    [Theory]
    [InlineData("--user", "--users")]
    [InlineData("--iteratoins", "--iterations")]
    [InlineData("--sqs", "--sqs-endpoint")]
    public void The_nearest_word_is_offered(string written, string meant) =>
        Assert.Equal(meant, Spelling.Nearest(written, ["--users", "--iterations", "--sqs-endpoint", "--arms"]));

    [Fact]
    public void A_word_that_is_near_to_nothing_gets_no_offer() => Assert.Null(Spelling.Nearest("--frobnicate", ["--users", "--arms"]));
}

public class LinesTests
{
    [Fact]
    public void A_line_that_never_ends_is_given_up_once_it_is_longer_than_any()
    {
        var lines = new Lines(new EndlessBytes());

        Assert.True(lines.TryNext());
        Assert.Equal((false, false), (lines.Ended, lines.IsCut));
        Assert.InRange(lines.Line.Length, Lines.MaxLength, 2 * Lines.MaxLength);
    }

    [Fact]
    public void The_longest_allowed_line_is_read_and_a_cut_one_is_told_from_it()
    {
        var lines = new Lines(new MemoryStream(Encoding.UTF8.GetBytes(new string('x', Lines.MaxLength) + "\r\ncut")));

        Assert.True(lines.TryNext());
        Assert.Equal((true, 1, Lines.MaxLength), (lines.Ended, lines.Number, lines.Text.Length));
        Assert.True(lines.TryNext());
        Assert.Equal((true, 2, "cut"), (lines.IsCut, lines.Number, lines.Text));
        Assert.False(lines.TryNext());
    }

    private sealed class EndlessBytes : MemoryStream
    {
        public override int Read(byte[] buffer, int offset, int count)
        {
            Array.Fill(buffer, (byte)'x', offset, count);
            return count;
        }
    }
}
