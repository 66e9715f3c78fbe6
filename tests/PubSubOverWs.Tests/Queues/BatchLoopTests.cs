using PubSubOverWs.Queues;

namespace PubSubOverWs.Tests.Queues;

public sealed class BatchLoopTests
{
    private readonly Lock _lock = new();
    private readonly List<IReadOnlyList<int>> _started = [];
    private readonly List<TaskCompletionSource> _ends = [];
    private readonly BatchLoop<int> _loop;

    public BatchLoopTests() => _loop = new BatchLoop<int>(callsAtOnce: 2, CallAsync);

    private IReadOnlyList<IReadOnlyList<int>> Calls
    {
        get
        {
            lock (_lock)
                return [.. _started];
        }
    }

    [Fact]
    public async Task The_first_entry_leaves_at_once_and_entries_that_come_meanwhile_leave_together()
    {
        _loop.Add(1);
        await StartedAsync(1);
        _loop.Add(2);
        _loop.Add(3);
        _ends[0].SetResult();
        await StartedAsync(2);
        Assert.Equal([[1], [2, 3]], Calls);
        var idle = _loop.IdleAsync();
        Assert.False(idle.IsCompleted);
        _ends[1].SetResult();
        await idle;
    }

    [Fact]
    public async Task Beside_the_first_call_only_a_full_batch_leaves()
    {
        _loop.Add(0);
        await StartedAsync(1);
        for (var entry = 1; entry <= 9; entry++)
            _loop.Add(entry);
        Assert.Single(Calls);
        _loop.Add(10);
        await StartedAsync(2);
        Assert.Equal(Enumerable.Range(1, 10), Calls[1]);
    }

    [Fact]
    public async Task An_entry_that_waits_behind_a_call_without_an_answer_leaves_after_a_second()
    {
        var time = new FakeTime();
        var loop = new BatchLoop<int>(callsAtOnce: 3, CallAsync) { Time = time };
        loop.Add(1);
        await StartedAsync(1);
        loop.Add(2);
        time.Advance(BatchLoop<int>.Patience - TimeSpan.FromMilliseconds(1));
        Assert.Single(Calls);
        time.Advance(TimeSpan.FromMilliseconds(1));
        await StartedAsync(2);
        // The second call is under way, and has been for less than a second: again what comes waits for it, and not for the first.
        loop.Add(3);
        Assert.Equal(2, Calls.Count);
        _ends[1].SetResult();
        await StartedAsync(3);
        Assert.Equal([[1], [2], [3]], Calls);
        _ends[2].SetResult();
        _ends[0].SetResult();
        await loop.CompleteAsync();
    }

    [Fact]
    public async Task Completing_waits_for_calls_that_left_beside_a_slow_one_and_leaves_no_timer()
    {
        var time = new FakeTime();
        // What the end of a call leads to happens where it is set.
        TaskCompletionSource[] ends = [new(), new()];
        var started = 0;
        var loop = new BatchLoop<int>(callsAtOnce: 2, _ => ends[Interlocked.Increment(ref started) - 1].Task) { Time = time };
        loop.Add(1);
        await Waiting.UntilAsync(() => Volatile.Read(ref started) == 1);
        loop.Add(2);
        var completed = FakeTime.Start(async () =>
        {
            await loop.CompleteAsync();
            return true;
        });
        time.Advance(BatchLoop<int>.Patience);
        await Waiting.UntilAsync(() => Volatile.Read(ref started) == 2);

        await Task.Run(() => ends[0].SetResult());
        Assert.False(completed.IsCompleted);
        ends[1].SetResult();
        await completed;

        Assert.Equal(0, time.TimersSet);
    }

    [Fact]
    public async Task A_batch_has_no_more_bytes_than_allowed_but_for_one_entry_alone()
    {
        var loop = new BatchLoop<int>(callsAtOnce: 1, CallAsync) { SizeOf = size => size, MaxBytes = 10 };
        loop.Add(11);
        await StartedAsync(1);
        foreach (var size in new[] { 5, 5, 1 })
            loop.Add(size);
        _ends[0].SetResult();
        await StartedAsync(2);
        _ends[1].SetResult();
        await StartedAsync(3);

        Assert.Equal([[11], [5, 5], [1]], Calls);

        _ends[2].SetResult();
        await loop.CompleteAsync();
    }

    [Fact]
    public async Task A_batch_has_ten_at_most_and_no_more_calls_are_made_at_once_than_allowed()
    {
        for (var entry = 0; entry < 45; entry++)
            _loop.Add(entry);
        for (var ended = 0; Calls.Take(ended).Sum(batch => batch.Count) < 45; ended++)
        {
            await StartedAsync(ended + 1);
            Assert.InRange(Calls.Count - ended, 1, 2);
            _ends[ended].SetResult();
        }
        await _loop.IdleAsync();
        Assert.All(Calls, batch => Assert.InRange(batch.Count, 1, 10));
        Assert.Equal(Enumerable.Range(0, 45), Calls.SelectMany(batch => batch).Order());
    }

    [Fact]
    public async Task Entries_that_may_linger_leave_when_the_batch_is_full_or_the_time_is_over()
    {
        var lingered = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var loop = new BatchLoop<int>(callsAtOnce: 2, CallAsync) { Linger = () => lingered.Task };
        for (var entry = 0; entry <= 10; entry++)
            loop.Add(entry);
        await StartedAsync(1);
        Assert.Equal(Enumerable.Range(0, 10), Calls[0]);
        Assert.Single(Calls);
        _ends[0].SetResult();
        lingered.SetResult();
        await StartedAsync(2);
        Assert.Equal([10], Calls[1]);
    }

    private Task CallAsync(IReadOnlyList<int> batch)
    {
        lock (_lock)
        {
            _started.Add(batch);
            _ends.Add(new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously));
            return _ends[^1].Task;
        }
    }

    private Task StartedAsync(int count) => Waiting.UntilAsync(() => Calls.Count >= count);
}
