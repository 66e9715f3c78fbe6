using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Record;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.LoadTest.Harness.Live;

public sealed class LiveStateTests
{
    private readonly LiveState _state = new();
    private readonly Scoreboard _scores = new();

    // The page is JavaScript: no compiler renames what it reads.
    [Fact]
    public void The_page_reads_whatever_an_update_has_by_the_name_that_it_has_there()
    {
        var page = SourceTree.Read("loadtest/PubSubOverWs.LoadTest/Harness/Live/Html/live.js");
        Type[] sent = [typeof(LiveUpdate), typeof(LiveRun), typeof(LiveProgress), typeof(LiveTrial), typeof(LiveTotal), typeof(LiveMark),
            typeof(LiveProcess), typeof(LiveEnd)];
        var names = sent.SelectMany(type => type.GetProperties()).Select(property => property.Name).Distinct();

        Assert.All(names, name => Assert.Matches($@"\b{char.ToLowerInvariant(name[0])}{name[1..]}\b", page));
    }

    [Fact]
    public void A_page_that_is_opened_before_the_run_is_told_that_nothing_is_known()
    {
        var update = _state.Since(0);

        Assert.Equal((1, true, null, null), (update.Version, update.IsWhole, update.Run, update.Progress));
        Assert.Empty(update.Trials);
    }

    [Fact]
    public void A_page_that_is_opened_late_gets_what_an_early_one_got_bit_by_bit()
    {
        _state.Begin(new LiveRun("paper", "record", [Relays.Direct, Relays.PubSub], ["50 users"]));
        var seen = new List<LiveUpdate> { _state.Since(0) };
        foreach (
            var row in new[] { Some.Row(Relays.Direct, 50, 1, 1), Some.Row(Relays.PubSub, 50, 1, 2), Some.Row(Relays.Direct, 50, 1, 3) })
        {
            Add(row, [new EventRow(row.Start, "failure", row.Arm, "late")]);
            seen.Add(_state.Since(seen[^1].Version));
        }

        var late = _state.Since(0);

        Assert.All(seen.Skip(1), update => Assert.False(update.IsWhole || update.Run is not null));
        Assert.Equal("paper", late.Run?.Scenario);
        Assert.Equal(seen.SelectMany(update => update.Trials).Select(one => one.Order), late.Trials.Select(one => one.Order));
        Assert.Equal(seen.SelectMany(update => update.Marks), late.Marks);
        Assert.Equal([(Relays.Direct, 2), (Relays.PubSub, 1)], late.Totals.Select(one => (one.Arm, one.Iterations)));
        Assert.Equal(2, seen[^1].Totals.Single().Iterations);
        Assert.Equal(seen[^1].Progress, late.Progress);
    }

    [Fact]
    public void Trials_and_marks_are_bounded_and_the_sums_have_them_all()
    {
        const int trials = LiveState.MaxKept + 7;
        for (var i = 1; i <= trials; i++)
            Add(Some.Row(Relays.Direct, 50, 1, i), [new EventRow(TimeSpan.FromSeconds(i), "fault-kill-server", Relays.Direct, "")]);

        var all = _state.Since(0);

        Assert.Equal(Enumerable.Range(8, LiveState.MaxKept), all.Trials.Select(one => one.Order));
        Assert.Equal((7, LiveState.MaxKept), (all.DroppedTrials, all.Marks.Count));
        var total = Assert.Single(all.Totals);
        Assert.Equal((trials, 50L * trials, 50L * trials), (total.Iterations, total.Attempts, total.Buckets["delivered"]));
    }

    [Fact]
    public void A_trial_is_shown_as_it_is_recorded()
    {
        var row = Some.Row(Relays.PubSub, 50, 2, 9) with
        {
            Burst = TimeSpan.FromMilliseconds(20),
            Cpu = new CpuTimes(TimeSpan.FromMilliseconds(5), null, TimeSpan.FromMilliseconds(20), TimeSpan.Zero),
            Buckets = new Buckets { Attempts = 50, Delivered = 40, Late = 10, Causes = new CauseCounts(Deadline: 10) },
            FromSent = new LatencySummary { Count = 40, Mean = 1500, P50 = 1250, Max = 9000, Min = 1 },
        };

        Add(row, [], new NamedUse("pubsub", new ProcessUse(TimeSpan.FromSeconds(1.5), 64 << 20)));

        var trial = Assert.Single(_state.Since(0).Trials);
        Assert.Equal((9, 2, "pubsub", "50 users", true), (trial.Order, trial.Block, trial.Arm, trial.Level, trial.Counts));
        Assert.Equal((1.5, 1.25, null, null, 9.0), (trial.Mean, trial.P50, trial.P90, trial.P99, trial.Max));
        Assert.Equal((50, 40, 2000.0), (trial.Attempts, trial.Delivered, trial.Throughput));
        Assert.Equal((25.0, null, 100.0, 0.0), (trial.ServerCpu, trial.QueueCpu, trial.LoadCpu, trial.IdleCpu));
        Assert.Equal(64, trial.Memory["pubsub"]);
        Assert.Equal(new LiveProcess("pubsub", 1.5, 64), Assert.Single(_state.Since(0).Processes));
        var total = Assert.Single(_state.Since(0).Totals);
        Assert.Equal(0.2, total.Loss!.Value, 9);
        Assert.Equal((1.5, 10L), (total.Mean!.Value, total.Buckets["late"]));
    }

    [Fact]
    public void Warm_up_and_floor_are_trials_and_in_no_sum()
    {
        Add(Some.Row(Relays.Direct, 50, 1, 1) with { WarmUp = true });
        Add(Some.Row(Arm.Floor.Name, 50, 1, 2));

        var update = _state.Since(0);

        Assert.Equal([false, true], update.Trials.Select(one => one.Counts));
        Assert.Empty(update.Totals);
    }

    [Fact]
    public void Faults_and_failures_stand_at_their_moment_of_the_trial_and_routine_is_left_out()
    {
        var row = Some.Row(Relays.Direct, 50, 1, 4) with
        {
            Start = TimeSpan.FromSeconds(100),
            Connect = TimeSpan.FromSeconds(1),
            Burst = TimeSpan.FromSeconds(2),
            Drain = TimeSpan.FromSeconds(1),
        };

        Add(
            row,
            [
                new EventRow(TimeSpan.FromSeconds(90), "started", "direct", "process 1"),
                new EventRow(TimeSpan.FromSeconds(101), "fault-kill-server", "direct", "killed"),
                new EventRow(TimeSpan.FromSeconds(105), "failure", "direct", "users x 2"),
            ]);

        Assert.Equal(
            [(3.75, true, "fault-kill-server"), (4.5, false, "failure")],
            _state.Since(0).Marks.Select(mark => (mark.At, mark.IsFault, mark.Kind)));
    }

    [Fact]
    public void The_rows_of_a_run_that_is_resumed_are_there_from_the_start()
    {
        IterationRow[] before = [Some.Row(Relays.Direct, 50, 1, 1), Some.Row(Relays.PubSub, 50, 1, 2)];
        foreach (var row in before)
            _scores.Add(row);

        _state.Add(Progress() with { Rows = before });

        Assert.Equal((2, 2), (_state.Since(0).Trials.Count, _state.Since(0).Totals.Count));
    }

    [Fact]
    public void The_next_trial_and_the_time_left_are_those_of_the_terminal()
    {
        _state.Add(Progress() with
        {
            Next = new Trial(Some.Arm(Relays.PubSub), Some.Level(500), 2, 9, 8, WarmUp: true),
            Elapsed = TimeSpan.FromSeconds(30),
            Left = TimeSpan.FromSeconds(130),
        });

        Assert.Equal(new LiveProgress(7, 20, "30 s", "about 2 min 10 s", "block 2, 500 users, pubsub (warm-up)"), _state.Since(0).Progress);
    }

    [Fact]
    public void Only_the_first_end_counts()
    {
        _state.End(new LiveEnd("it ended", HasReport: true, Stays: true));
        var version = _state.Version;

        _state.End(new LiveEnd("it failed", HasReport: false, Stays: false));

        Assert.Equal((version, "it ended"), (_state.Version, _state.Since(version).End?.Text));
    }

    private void Add(IterationRow row, IReadOnlyList<EventRow>? events = null, params NamedUse[] processes)
    {
        _scores.Add(row);
        _state.Add(Progress() with { Rows = [row], Events = events ?? [], Processes = processes });
    }

    private RunProgress Progress() => new(7, 20, null, null, TimeSpan.Zero, TimeSpan.Zero, _scores.Arms);
}

/// <summary>The files of the page; how they are served is tried in the end-to-end tests.</summary>
public sealed partial class LivePageTests
{
    private const string Folder = "loadtest/PubSubOverWs.LoadTest/Harness/Live/Html";

    private static readonly string[] Files = [.. Directory.GetFiles(Path.Combine(SourceTree.Root, Folder)).Order(StringComparer.Ordinal)];

    [Fact]
    public void The_page_is_one_page_one_style_and_one_module() =>
        Assert.Equal(["live.css", "live.html", "live.js"], Files.Select(Path.GetFileName));

    [Fact]
    public void Its_files_are_in_the_program_and_together_below_150_KiB()
    {
        var built = typeof(LivePage).Assembly.GetManifestResourceNames().Where(name => name.StartsWith("live/", StringComparison.Ordinal));

        Assert.Equal(Files.Select(file => $"live/{Path.GetFileName(file)}"), built.Order(StringComparer.Ordinal));
        Assert.InRange(Files.Sum(file => new FileInfo(file).Length), 1, 150 << 10);
    }

    // What its Content-Security-Policy would refuse.
    [Fact]
    public void It_has_no_script_and_no_style_within_and_names_nothing_that_is_elsewhere()
    {
        var page = File.ReadAllText(Files.Single(file => file.EndsWith(".html", StringComparison.Ordinal)));

        Assert.DoesNotMatch(Within(), page);
        Assert.All(Files, file => Assert.Empty(Address().Matches(File.ReadAllText(file)).Select(match => match.Value)
            .Except(["http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"])));
    }

    [GeneratedRegex(@"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:", RegexOptions.IgnoreCase)]
    private static partial Regex Within();

    [GeneratedRegex(@"(?:https?:)?//[a-z][\w.-]*\.\w+[^""'\s)]*", RegexOptions.IgnoreCase)]
    private static partial Regex Address();
}

public sealed class LiveViewsTests
{
    private static readonly RunProgress First = new(1, 2, null, null, TimeSpan.Zero, TimeSpan.Zero, []);
    private static readonly RunProgress Second = First with { Done = 2 };

    private readonly List<string> _order = [];

    [Fact]
    public async Task Every_view_is_shown_the_same_progress_in_the_same_order()
    {
        View one = new("one", _order), other = new("other", _order);

        await new LiveViews(one, other).WhileAsync(show =>
        {
            show(First);
            show(Second);
            return Task.CompletedTask;
        });

        Assert.Equal([First, Second], one.Shown);
        Assert.Equal(one.Shown, other.Shown);
    }

    [Fact]
    public async Task A_trial_waits_for_every_view()
    {
        await new LiveViews(new View("one", _order), new View("other", _order)).BeforeTrialAsync(CancellationToken.None);

        Assert.Equal(["one", "other"], _order);
    }

    [Fact]
    public Task A_failure_of_the_run_is_that_of_its_views() => Assert.ThrowsAsync<InvalidOperationException>(
        () => new LiveViews(new View("one", _order)).WhileAsync(_ => throw new InvalidOperationException()));

    private sealed class View(string name, List<string> order) : ILiveView
    {
        public List<RunProgress> Shown { get; } = [];

        public Task WhileAsync(Func<Action<RunProgress>, Task> work) => work(Shown.Add);

        public Task BeforeTrialAsync(CancellationToken cancellationToken)
        {
            order.Add(name);
            return Task.CompletedTask;
        }
    }
}
