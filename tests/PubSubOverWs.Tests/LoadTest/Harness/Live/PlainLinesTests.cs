using System.Text;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class PlainLinesTests
{
    private static readonly ArmProgress Direct = new(Relays.Direct, Some.Level(100), 3, 300, 297, TimeSpan.FromMilliseconds(1.234));
    private static readonly ArmProgress PubSub = new(Relays.PubSub, Some.Level(100), 3, 300, 300, TimeSpan.FromMilliseconds(12));
    private static readonly ArmProgress Other = new(Relays.Direct, Some.Level(50), 3, 150, 150, TimeSpan.FromMilliseconds(1));

    private readonly FakeTime _time = new();
    private readonly StringBuilder _output = new();

    [Fact]
    public void The_end_of_a_level_is_one_line_with_loss_and_latency_of_both_arms()
    {
        Lines().Show(Progress(Trial(100, 1), Trial(500, 1)));

        Assert.Equal(
            "7/20 block 1, 100 users: direct loss 1.00 %, latency 1.23 ms; pubsub loss 0.00 %, latency 12.00 ms (about 42 s left)"
                + Environment.NewLine, _output.ToString());
    }

    [Fact]
    public void Within_a_level_nothing_is_printed_for_ten_seconds()
    {
        var lines = Lines();
        _time.Advance(TimeSpan.FromSeconds(9));
        lines.Show(Progress(Trial(100, 1), Trial(100, 1)));
        Assert.Empty(_output.ToString());

        _time.Advance(TimeSpan.FromSeconds(1));
        lines.Show(Progress(Trial(100, 1), Trial(100, 1)));
        lines.Show(Progress(Trial(100, 1), Trial(100, 1)));
        Assert.Single(_output.ToString().Split(Environment.NewLine, StringSplitOptions.RemoveEmptyEntries));
    }

    [Fact]
    public void The_same_level_in_the_next_block_is_a_new_line()
    {
        Lines().Show(Progress(Trial(100, 1), Trial(100, 2)));

        Assert.StartsWith("7/20 block 1, 100 users", _output.ToString());
    }

    [Fact]
    public void What_takes_ten_seconds_or_more_is_named_before_it_begins()
    {
        var lines = Lines();
        lines.Show(Progress(null, Trial(100, 1)) with { Begins = new Activity("starting servers", TimeSpan.FromSeconds(9)) });
        Assert.Empty(_output.ToString());

        lines.Show(Progress(null, Trial(100, 1)) with { Begins = Activity.From(Trial(100, 1), TimeSpan.FromSeconds(57)) });
        Assert.Equal("7/20 block 1, 100 users, direct: takes about 57 s" + Environment.NewLine, _output.ToString());
    }

    [Fact]
    public void The_last_line_says_done() => Assert.EndsWith("(done)", PlainLines.Line(Progress(Trial(100, 1), null)));

    [Fact]
    public void A_level_that_warms_up_says_so() =>
        Assert.Equal("7/20 block 1, 500 users: warming up (about 42 s left)", PlainLines.Line(Progress(Trial(500, 1), Trial(500, 1))));

    [Fact]
    public void An_arm_that_warms_up_until_it_is_steady_says_how_long_at_most()
    {
        var warmingUp = Progress(Trial(500, 1), Trial(500, 1) with { WarmUp = true, MoreWarmUps = 3 }) with { IsAtMost = true };

        Assert.Equal("7/20 block 1, 500 users: warming up, 4 more at most (up to 42 s left)", PlainLines.Line(warmingUp));
        Assert.Equal(
            "block 1, 500 users, direct (warm-up, 3 more at most)", Activity.From(warmingUp.Next!.Value, TimeSpan.FromSeconds(57)).What);
    }

    [Theory]
    [InlineData(0, "0 s")]
    [InlineData(41.2, "42 s")]
    [InlineData(130, "2 min 10 s")]
    [InlineData(7380, "2 h 03 min")]
    [InlineData(-1, "0 s")]
    public void Durations_are_as_exact_as_they_matter(double seconds, string text) =>
        Assert.Equal(text, ProgressText.Duration(TimeSpan.FromSeconds(seconds)));

    [Fact]
    public void An_unknown_value_is_a_dash()
    {
        Assert.Equal("-", ProgressText.Loss(null));
        Assert.Equal("-", ProgressText.Latency(null));
    }

    private PlainLines Lines() => new(new StringWriter(_output), _time);

    private static Trial Trial(int users, int block) => new(Some.Arm(Relays.Direct), Some.Level(users), block, 1, 1, false);

    private static RunProgress Progress(Trial? last, Trial? next) =>
        new(7, 20, last, next, TimeSpan.FromSeconds(10), TimeSpan.FromSeconds(42), [Other, Direct, PubSub]);
}
