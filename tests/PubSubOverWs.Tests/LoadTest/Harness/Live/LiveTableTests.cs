using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;
using Spectre.Console;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class LiveTableTests
{
    [Fact]
    public void The_table_shows_both_arms_of_every_level_the_current_trial_and_the_time_left()
    {
        var text = Draw(UnderWay, 200);

        Assert.Matches(@"50 +3 +0\.00 % +1\.00 ms +3 +0\.67 % +12\.00 ms", text);
        Assert.Matches(@"500 +1 +0\.00 % +4\.00 ms", text);
        Assert.Contains("7 of 20 iterations (35 %), block 2, 500 users, pubsub (warm-up)", text);
        Assert.Contains("about 90 s left", text);
    }

    [Fact]
    public void A_narrow_terminal_has_a_row_for_each_arm_and_no_line_that_is_too_long()
    {
        var text = Draw(UnderWay, 60);

        Assert.Matches(@"50 +direct +3 +0\.00 % +1\.00 ms", text);
        Assert.Matches(@"50 +pubsub +3 +0\.67 % +12\.00 ms", text);
        Assert.All(text.Split('\n'), line => Assert.InRange(line.TrimEnd().Length, 0, 60));
    }

    [Fact]
    public void What_begins_is_named_with_the_time_in_which_nothing_is_drawn()
    {
        var next = new Trial(Some.Arm(Relays.PubSub), Some.Level(500), 2, 9, 8, false);

        var text = Draw(UnderWay with { Begins = Activity.From(next, TimeSpan.FromSeconds(57)) }, 200);

        Assert.Contains("7 of 20 iterations (35 %), block 2, 500 users, pubsub: takes about 57 s; 30 s so far", text);
    }

    [Fact]
    public void The_table_names_the_current_trial_before_anything_was_measured() =>
        Assert.Contains("0 of 20 iterations (0 %), block 1, 50 users, floor", Draw(new RunProgress(
            0, 20, null, new Trial(Arm.Floor, Some.Level(50), 1, 1, 1, false), TimeSpan.Zero, TimeSpan.FromSeconds(90), []), 200));

    [Fact]
    public void The_first_line_is_empty_before_anything_was_measured_too() => Assert.StartsWith("0", Draw(new RunProgress(
        0, 20, null, null, TimeSpan.Zero, TimeSpan.FromSeconds(90), []), 200).Split('\n')[1], StringComparison.Ordinal);

    [Fact]
    public async Task What_is_said_meanwhile_stands_below_the_table_and_on_standard_error_when_it_is_gone()
    {
        using var output = new StringWriter();
        using var error = new StringWriter();
        var notices = new Notices(error);

        await new LiveTable(ConsoleOf(output, AnsiSupport.Yes, 60), 60, notices).WhileAsync(show =>
        {
            show(UnderWay);
            output.GetStringBuilder().Clear();
            notices.Say("Stopping: what was recorded is kept.");
            return Task.CompletedTask;
        });
        notices.Say("Stopped.");

        Assert.Matches(@"7 of 20 iterations [^$]+ left +\r?\nStopping: what was recorded is kept\.", output.ToString());
        Assert.Equal($"Stopped.{Environment.NewLine}", error.ToString());
    }

    private static RunProgress UnderWay { get; } = new(
        7, 20, null, new Trial(Some.Arm(Relays.PubSub), Some.Level(500), 2, 9, 8, true), TimeSpan.FromSeconds(30), TimeSpan.FromSeconds(90),
        [
            new ArmProgress(Relays.Direct, Some.Level(50), 3, 150, 150, TimeSpan.FromMilliseconds(1)),
            new ArmProgress(Relays.PubSub, Some.Level(50), 3, 150, 149, TimeSpan.FromMilliseconds(12)),
            new ArmProgress(Relays.Direct, Some.Level(500), 1, 500, 500, TimeSpan.FromMilliseconds(4)),
        ]);

    private static string Draw(RunProgress progress, int width)
    {
        using var output = new StringWriter();
        ConsoleOf(output, AnsiSupport.No, width).Write(LiveTable.Draw(progress, width));
        return output.ToString();
    }

    private static IAnsiConsole ConsoleOf(StringWriter output, AnsiSupport ansi, int width)
    {
        var console = AnsiConsole.Create(
            new AnsiConsoleSettings { Ansi = ansi, ColorSystem = ColorSystemSupport.NoColors, Out = new AnsiConsoleOutput(output) });
        console.Profile.Width = width;
        // Not that of the terminal in which the tests run: a dumb one has none.
        console.Profile.Height = 24;
        return console;
    }
}
