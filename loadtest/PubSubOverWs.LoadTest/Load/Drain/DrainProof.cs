using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Load.Drain;

/// <summary>
/// Proves that nothing of one iteration reaches the next: three looks in a row, 100 ms apart, at which the queue has nothing visible,
/// in flight or delayed and the server holds nothing.
/// </summary>
/// <param name="queue">Null: it cannot be asked.</param>
/// <param name="held">What the server holds; null: it cannot be told.</param>
/// <param name="time">The clock.</param>
public sealed class DrainProof(QueueLocation? queue, Func<CancellationToken, Task<long?>> held, TimeProvider time)
{
    public const int LooksInARow = 3;

    private long _deadBefore;

    /// <summary>Between two looks.</summary>
    public static TimeSpan BetweenLooks { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>When to give up. Longer than the queue's visibility time-out (30 s), after which an undeleted message comes again and may be settled.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(45);

    public async Task<DrainResult> ProveAsync(CancellationToken cancellationToken)
    {
        var start = time.GetTimestamp();
        if (queue is null)
            return new DrainResult(DrainState.NotProven, 0, 0, 0, 0, 0, TimeSpan.Zero);
        try
        {
            var result = await LookUntilEmptyAsync(queue, start, cancellationToken);
            return result with { DeadLettered = await NewDeadLettersAsync(cancellationToken), Took = time.GetElapsedTime(start) };
        }
        catch (SqsException)
        {
            return new DrainResult(DrainState.NotProven, 0, 0, 0, 0, 0, time.GetElapsedTime(start));
        }
    }

    private async Task<DrainResult> LookUntilEmptyAsync(QueueLocation asked, long start, CancellationToken cancellationToken)
    {
        for (var empty = 0; ;)
        {
            var look = await LookAsync(asked, cancellationToken);
            empty = look.State == DrainState.Proven ? empty + 1 : 0;
            if (empty == LooksInARow || time.GetElapsedTime(start) > Timeout)
                return look with { State = empty == LooksInARow ? DrainState.Proven : DrainState.Failed };
            await Task.Delay(BetweenLooks, time, cancellationToken);
        }
    }

    /// <summary>One look; proven means: nothing seen this time.</summary>
    private async Task<DrainResult> LookAsync(QueueLocation asked, CancellationToken cancellationToken)
    {
        var counts = await asked.Sqs.GetQueueAttributesAsync(asked.Url, cancellationToken);
        var isHeld = await held(cancellationToken);
        var state = counts.IsEmpty && isHeld == 0 ? DrainState.Proven : DrainState.Failed;
        return new DrainResult(state, counts.Visible, counts.InFlight, counts.Delayed, isHeld ?? 0, 0, TimeSpan.Zero);
    }

    private async Task<long> NewDeadLettersAsync(CancellationToken cancellationToken)
    {
        if (queue?.DeadLetterUrl is not { } url)
            return 0;
        var before = _deadBefore;
        var counts = await queue.Sqs.GetQueueAttributesAsync(url, cancellationToken);
        _deadBefore = counts.Visible + counts.InFlight + counts.Delayed;
        return Math.Max(0, _deadBefore - before);
    }
}
