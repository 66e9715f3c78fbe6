using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// Proves that no message of one iteration reaches the next: several looks in a row (<see cref="DrainLooks"/>) must find all queues empty,
/// with nothing visible, in flight or delayed, and nothing held by the servers.
/// </summary>
public sealed class DrainProof
{
    private readonly QueueLocation? _queue;
    private readonly Func<CancellationToken, Task<long?>> _held;
    private readonly DrainLooks _looks;
    private readonly TimeProvider _time;

    // Null: not counted yet, so it is unknown which are new.
    private long? _deadBefore;

    private DrainProof(QueueLocation? queue, Func<CancellationToken, Task<long?>> held, DrainLooks looks, TimeProvider time) =>
        (_queue, _held, _looks, _time) = (queue, held, looks, time);

    /// <summary>Counts the dead letters that are there already: an existing queue may have been used before.</summary>
    /// <param name="queue">Null: its counts are not available.</param>
    /// <param name="held">The number of messages that the servers hold; null: unknown.</param>
    public static async Task<DrainProof> BeginAsync(
        QueueLocation? queue, Func<CancellationToken, Task<long?>> held, DrainLooks looks, TimeProvider time,
        CancellationToken cancellationToken)
    {
        var proof = new DrainProof(queue, held, looks, time);
        try
        {
            await proof.NewDeadLettersAsync(cancellationToken);
        }
        catch (QueueException)
        {
            // The proofs report it.
        }

        return proof;
    }

    public async Task<DrainResult> ProveAsync(CancellationToken cancellationToken)
    {
        var start = _time.GetTimestamp();
        if (_queue is null)
            return new DrainResult(DrainState.NotProven, 0, 0, 0, 0, 0, TimeSpan.Zero);
        try
        {
            var result = await LookUntilEmptyAsync(_queue, start, cancellationToken);
            return result with { DeadLettered = await NewDeadLettersAsync(cancellationToken), Took = _time.GetElapsedTime(start) };
        }
        catch (QueueException failure)
        {
            return new DrainResult(DrainState.NotProven, 0, 0, 0, 0, 0, _time.GetElapsedTime(start)) { Failure = failure };
        }
    }

    private async Task<DrainResult> LookUntilEmptyAsync(QueueLocation asked, long start, CancellationToken cancellationToken)
    {
        for (var empty = 0; ;)
        {
            var look = await LookAsync(asked, cancellationToken);
            empty = look.State == DrainState.Proven ? empty + 1 : 0;
            if (empty == _looks.InARow || _time.GetElapsedTime(start) > _looks.Timeout)
                return look with { State = empty == _looks.InARow ? DrainState.Proven : DrainState.Failed };
            await Task.Delay(_looks.Between, _time, cancellationToken);
        }
    }

    /// <summary>One look; proven means that it found nothing.</summary>
    private async Task<DrainResult> LookAsync(QueueLocation asked, CancellationToken cancellationToken)
    {
        var seen = new DrainResult(DrainState.Proven, 0, 0, 0, 0, 0, TimeSpan.Zero);
        if ((asked.Now is { } now ? await now(cancellationToken) : asked.Urls) is not { } urls)
            return seen with { State = DrainState.Failed };
        foreach (var url in urls)
        {
            var counts = await asked.CountAsync(url, cancellationToken);
            seen = seen with
            {
                Visible = seen.Visible + counts.Visible,
                InFlight = seen.InFlight + counts.InFlight,
                Delayed = seen.Delayed + counts.Delayed
            };
        }

        var held = await _held(cancellationToken);
        return seen with { Held = held ?? 0, State = seen.Remains.StillQueued == 0 && held == 0 ? DrainState.Proven : DrainState.Failed };
    }

    private async Task<long> NewDeadLettersAsync(CancellationToken cancellationToken)
    {
        if (_queue?.DeadLetterUrl is not { } url)
            return 0;
        var before = _deadBefore;
        var counts = await _queue.CountAsync(url, cancellationToken);
        var now = counts.Visible + counts.InFlight + counts.Delayed;
        _deadBefore = now;
        return Math.Max(0, now - (before ?? now));
    }
}

/// <summary>The queues of the servers under test, for their counts.</summary>
/// <param name="Queue">A client for them.</param>
/// <param name="Urls">The queues that messages pass: one, or those of all nodes and the one that they share.</param>
/// <param name="DeadLetterUrl">Null: they have none.</param>
public sealed record QueueLocation(IQueue Queue, IReadOnlyList<string> Urls, string? DeadLetterUrl)
{
    /// <summary>The current queues, if they change, or null while a server does not say which; null: always the same.</summary>
    public Func<CancellationToken, Task<IReadOnlyList<string>?>>? Now { get; init; }

    /// <summary>What is in one of them; a queue that does not tell them apart has all of it visible.</summary>
    /// <exception cref="QueueException">The queue did not answer, or refused.</exception>
    internal async Task<(long Visible, long InFlight, long Delayed)> CountAsync(string url, CancellationToken cancellationToken)
    {
        if (Queue is not ISqs sqs)
            return (await Queue.CountAsync(url, cancellationToken), 0, 0);
        var counts = await sqs.GetQueueAttributesAsync(url, cancellationToken);
        return (counts.Visible, counts.InFlight, counts.Delayed);
    }
}

/// <summary>How often a queue must be found empty to be trusted.</summary>
/// <param name="InARow">Consecutive looks that find nothing.</param>
/// <param name="Between">From one look to the next.</param>
/// <param name="Timeout">When to give up: after more than the visibility time-out (30 s), when an undeleted message returns.</param>
public sealed record DrainLooks(int InARow, TimeSpan Between, TimeSpan Timeout)
{
    /// <summary>For a server with exact counts, such as LocalSqs.</summary>
    public static DrainLooks Near { get; } = new(3, TimeSpan.FromMilliseconds(100), TimeSpan.FromSeconds(45));

    /// <summary>For AWS, whose counts come from many machines and may be a minute old: the looks cover more than that.</summary>
    public static DrainLooks Aws { get; } = new(6, TimeSpan.FromSeconds(15), TimeSpan.FromMinutes(5));

    /// <summary>From the first look to the last of an empty queue.</summary>
    public TimeSpan Shortest => Between * (InARow - 1);
}

/// <summary>The result of the proof, and the last counts.</summary>
/// <param name="State">Proven also without a queue.</param>
/// <param name="Visible">Messages that a receive would get.</param>
/// <param name="InFlight">Received by the server, neither deleted nor visible again.</param>
/// <param name="Delayed">Not visible yet.</param>
/// <param name="Held">Of those in flight, what the server holds without a subscriber, by its /stats.</param>
/// <param name="DeadLettered">New in the dead-letter queue since the last proof, or the first count.</param>
public sealed record DrainResult(DrainState State, long Visible, long InFlight, long Delayed, long Held, long DeadLettered, TimeSpan Took)
{
    /// <summary>For an arm without a queue.</summary>
    public static DrainResult NoQueue { get; } = new(DrainState.Proven, 0, 0, 0, 0, 0, TimeSpan.Zero);

    /// <summary>Why its counts could not be read; null: they were, or there is no access to them.</summary>
    public QueueException? Failure { get; init; }

    /// <summary>For the accounting. Held messages are in flight, and are not counted twice.</summary>
    public QueueRemains Remains => new(Math.Max(Visible + InFlight + Delayed, Held), DeadLettered);

    /// <summary>For events.csv and for the user.</summary>
    public override string ToString() => State switch
    {
        DrainState.Proven => "drained",
        DrainState.NotProven => "not proven: the queue's counts could not be asked for",
        _ => $"not drained: {Visible} visible, {InFlight} in flight, {Delayed} delayed, {Held} held by the server",
    };
}
