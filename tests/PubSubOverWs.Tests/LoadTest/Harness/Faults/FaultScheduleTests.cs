using PubSubOverWs.LoadTest.Harness.Faults;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Harness.Faults;

public sealed class FaultScheduleTests
{
    private static readonly FaultAction[] Two =
        [new(TimeSpan.FromSeconds(3), FaultActionKind.KillServer, TimeSpan.FromSeconds(2)),
            new(TimeSpan.FromSeconds(9), FaultActionKind.KillServer, TimeSpan.FromSeconds(2))];

    private readonly FakeTime _time = new();
    private readonly RecordingInjector _injector;

    public FaultScheduleTests() => _injector = new RecordingInjector(_time);

    [Theory]
    [InlineData(0, 12, "do 3, undo 5, do 9, undo 11, calm 12, end 12")]
    [InlineData(1, 12, "do 3, undo 5, do 9, undo 11, calm 12, end 12")]
    [InlineData(3, 13, "do 3, undo 6, do 9, undo 12, calm 13, end 13")]
    public async Task Each_action_begins_at_its_time_and_its_end_is_due_at_its_own_however_long_it_takes(
        int takes, int seconds, string lines)
    {
        _injector.DoingTakes = TimeSpan.FromSeconds(takes);
        var schedule = new FaultSchedule(Two, TimeSpan.FromSeconds(seconds), _injector, _time);

        await RunAsync(schedule, seconds);

        Assert.Equal(lines, string.Join(", ", _injector.Lines));
        Assert.Equal([5, 11], _injector.DueSeconds);
        Assert.Equal(2, schedule.Actions);
    }

    [Fact]
    public async Task A_schedule_without_actions_lasts_as_long_as_messages_are_due()
    {
        var schedule = new FaultSchedule([], TimeSpan.FromSeconds(5), _injector, _time);

        await schedule.BeginAsync(CancellationToken.None);
        await RunAsync(schedule, seconds: 6);

        Assert.Equal(["begin 0", "calm 5", "end 5"], _injector.Lines);
        Assert.Equal(0, schedule.Actions);
    }

    [Fact]
    public async Task A_cancelled_schedule_does_nothing_more()
    {
        using var cut = new CancellationTokenSource();
        var running = Start(new FaultSchedule(Two, TimeSpan.FromSeconds(12), _injector, _time), cut.Token);
        _time.Advance(TimeSpan.FromSeconds(3));

        await cut.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => running);
        Assert.Equal(["do 3", "end 3"], _injector.Lines);
    }

    private async Task RunAsync(FaultSchedule schedule, int seconds)
    {
        var running = Start(schedule, CancellationToken.None);
        for (var i = 0; i < seconds; i++)
            _time.Advance(TimeSpan.FromSeconds(1));
        await running;
    }

    private static Task<int> Start(FaultSchedule schedule, CancellationToken cancellationToken) => FakeTime.Start(async () =>
    {
        await schedule.RunAsync(cancellationToken);
        return schedule.Actions;
    });

    private sealed class RecordingInjector(FakeTime time) : IFaultInjector
    {
        private readonly long _start = time.GetTimestamp();

        public TimeSpan DoingTakes { get; set; }

        public TimeSpan? ReadyAgain => null;

        public List<string> Lines { get; } = [];

        public List<double> DueSeconds { get; } = [];

        public Task BeginAsync(CancellationToken cancellationToken) => Write("begin");

        public Task DoAsync(FaultActionKind action, CancellationToken cancellationToken)
        {
            Write("do");
            return DoingTakes == TimeSpan.Zero ? Task.CompletedTask : Task.Delay(DoingTakes, time, cancellationToken);
        }

        public Task UndoAsync(FaultActionKind action, long due, CancellationToken cancellationToken)
        {
            DueSeconds.Add(time.GetElapsedTime(_start, due).TotalSeconds);
            return Write("undo");
        }

        public Task CalmAsync(CancellationToken cancellationToken) => Write("calm");

        public Task EndAsync() => Write("end");

        private Task Write(string what)
        {
            Lines.Add($"{what} {time.GetElapsedTime(_start).TotalSeconds:0}");
            return Task.CompletedTask;
        }
    }
}
