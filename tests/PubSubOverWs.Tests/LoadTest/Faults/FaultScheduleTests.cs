using PubSubOverWs.Experiment.Design;
using PubSubOverWs.LoadTest.Faults;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Faults;

public sealed class FaultScheduleTests
{
    private static readonly FaultAction[] Two =
        [new(TimeSpan.FromSeconds(3), FaultActionKind.KillServer, TimeSpan.FromSeconds(2)),
            new(TimeSpan.FromSeconds(9), FaultActionKind.KillServer, TimeSpan.FromSeconds(2))];

    private readonly FakeTime _time = new();
    private readonly WrittenScene _scene;

    public FaultScheduleTests() => _scene = new WrittenScene(_time);

    [Fact]
    public async Task Each_action_begins_and_ends_at_its_time()
    {
        var play = new FaultSchedule(Two, TimeSpan.FromSeconds(12), _scene, _time);

        await PlayAsync(play, seconds: 12);

        Assert.Equal(["do 3", "undo 5", "do 9", "undo 11", "calm 12", "end 12"], _scene.Lines);
        Assert.Equal(2, play.Actions);
    }

    [Fact]
    public async Task A_slow_action_still_ends_on_time()
    {
        _scene.DoingTakes = TimeSpan.FromSeconds(1);
        var play = new FaultSchedule(Two, TimeSpan.FromSeconds(12), _scene, _time);

        await PlayAsync(play, seconds: 12);

        Assert.Equal(["do 3", "undo 5", "do 9", "undo 11", "calm 12", "end 12"], _scene.Lines);
    }

    [Fact]
    public async Task The_end_of_an_action_is_due_at_the_same_time_even_if_the_action_takes_longer()
    {
        _scene.DoingTakes = TimeSpan.FromSeconds(3);
        var play = new FaultSchedule(Two, TimeSpan.FromSeconds(13), _scene, _time);

        await PlayAsync(play, seconds: 13);

        Assert.Equal(["do 3", "undo 6", "do 9", "undo 12", "calm 13", "end 13"], _scene.Lines);
        Assert.Equal([5, 11], _scene.DueSeconds);
    }

    [Fact]
    public async Task A_schedule_without_actions_lasts_as_long_as_messages_are_due()
    {
        var play = new FaultSchedule([], TimeSpan.FromSeconds(5), _scene, _time);

        await play.BeginAsync(CancellationToken.None);
        await PlayAsync(play, seconds: 6);

        Assert.Equal(["begin 0", "calm 5", "end 5"], _scene.Lines);
        Assert.Equal(0, play.Actions);
    }

    [Fact]
    public async Task A_cancelled_schedule_does_nothing_more()
    {
        using var cut = new CancellationTokenSource();
        var playing = Start(new FaultSchedule(Two, TimeSpan.FromSeconds(12), _scene, _time), cut.Token);
        _time.Advance(TimeSpan.FromSeconds(3));

        await cut.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => playing);
        Assert.Equal(["do 3", "end 3"], _scene.Lines);
    }

    private async Task PlayAsync(FaultSchedule play, int seconds)
    {
        var playing = Start(play, CancellationToken.None);
        for (var i = 0; i < seconds; i++)
            _time.Advance(TimeSpan.FromSeconds(1));
        await playing;
    }

    private static Task<int> Start(FaultSchedule play, CancellationToken cancellationToken) => FakeTime.Start(async () =>
    {
        await play.PlayAsync(cancellationToken);
        return play.Actions;
    });

    private sealed class WrittenScene(FakeTime time) : IFaultInjector
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
