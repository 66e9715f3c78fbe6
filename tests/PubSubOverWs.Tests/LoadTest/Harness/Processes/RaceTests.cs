using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class RaceTests
{
    private readonly FakeTime _time = new();
    private readonly TaskCompletionSource _end = new();

    [Fact]
    public async Task Work_that_is_done_first_has_won() =>
        Assert.True(await Race.WonAsync(_ => Task.CompletedTask, _end.Task, CancellationToken.None));

    [Fact]
    public async Task Work_that_has_lost_is_cancelled_and_has_ended()
    {
        var working = Task.CompletedTask;
        var race = Race.WonAsync(token => working = Task.Delay(TimeSpan.FromHours(1), _time, token), _end.Task, CancellationToken.None);

        _end.SetResult();

        Assert.False(await race);
        Assert.True(working.IsCanceled);
        Assert.Equal(0, _time.TimersSet);
    }

    [Fact]
    public async Task Work_that_fails_fails_the_race() =>
        await Assert.ThrowsAsync<IOException>(() =>
            Race.WonAsync(_ => Task.FromException(new IOException()), _end.Task, CancellationToken.None));

    [Fact]
    public async Task The_caller_can_cancel_the_race()
    {
        using var cancellation = new CancellationTokenSource();
        var race = Race.WonAsync(token => Task.Delay(TimeSpan.FromHours(1), _time, token), _end.Task, cancellation.Token);

        await cancellation.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => race);
    }
}
