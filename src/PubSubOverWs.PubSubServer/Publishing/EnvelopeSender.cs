using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// Gathers publishes into envelopes (<see cref="SendingOptions.Pack"/>) and envelopes into batch calls, without a timer: while a call is
/// under way the next batch fills; when none is, a publish leaves at once. Safe from any thread.
/// </summary>
internal sealed class EnvelopeSender : IAsyncDisposable
{
    /// <summary>
    /// Bytes of publishes that share an envelope: what SQS bills as one request, and a quarter of what older queues take (256 KiB).
    /// </summary>
    public const int MaxSharedBytes = 64 * 1024;

    private readonly EnvelopeTarget _target;
    private readonly int _pack;
    private readonly SemaphoreSlim _room;

    // Bounded by _room: SendingOptions.MaxWaiting.
    private readonly BatchLoop<Outgoing> _loop;

    /// <param name="time">The clock of calls that take long. Null: publishes behind one wait for it.</param>
    public EnvelopeSender(EnvelopeTarget target, SendingOptions options, TimeProvider? time = null)
    {
        _target = target;
        _pack = options.Pack;
        _room = new SemaphoreSlim(options.MaxWaiting);
        _loop = new(options.MaxCalls, CallAsync)
        {
            MaxEntries = options.Pack * QueueLimits.MaxBatchEntries,
            PartialCalls = options.PartialCalls,
            Time = time,
            MaxBytes = target.MaxBatchBytes,
            WeightOf = publish => publish.Weight,
            SizeOf = publish => EnvelopeJson.ComputeMaxSize(publish.Origin, publish.Messages.Length, publish.Count),
        };
    }

    /// <summary>Where it sends, as a sentence names it.</summary>
    public string Target => _target.Name;

    /// <summary>Whether the failure says that the target is gone, and that another takes its place from now on.</summary>
    public bool IsLost(QueueException failure) => _target.IsLost is { } isLost && isLost(failure);

    /// <summary>Completes when the queue has the publish, or refused it.</summary>
    /// <param name="publish">Its envelope is no larger than what the target takes.</param>
    /// <exception cref="QueueException">The call that carried it failed as a whole; when it is retryable the queue may have it.</exception>
    /// <exception cref="OperationCanceledException">It was given up (<see cref="Outgoing.GivenUp"/>) before it was sent.</exception>
    /// <exception cref="ObjectDisposedException">It was stopped: the publish was not sent.</exception>
    public async Task<EntryResult> SendAsync(Outgoing publish)
    {
        await _room.WaitAsync(publish.GivenUp);
        publish.Weight = ComputeWeight(publish);
        try
        {
            _loop.Add(publish);
        }
        catch (ObjectDisposedException)
        {
            _room.Release();
            throw;
        }
        return await publish.Outcome.Task;
    }

    /// <summary>Takes no more, and completes when everything that it had taken has its outcome.</summary>
    /// <remarks>The semaphore stays: callers that still wait for room get it, one after the other, and see that it is too late.</remarks>
    public async ValueTask DisposeAsync() => await _loop.CompleteAsync();

    private async Task CallAsync(IReadOnlyList<Outgoing> batch)
    {
        _room.Release(batch.Count);
        // One publisher's message may be refused because of another's, or because of all of them together, so each is then sent alone.
        var refused = new List<Outgoing>();
        await CallAllAsync([.. Pack(Wanted(batch))], refused);
        await CallAllAsync([.. refused.Select(publish => new ArraySegment<Outgoing>([publish]))], refused);
    }

    private async Task CallAllAsync(ArraySegment<Outgoing>[] envelopes, List<Outgoing> refused)
    {
        for (var start = 0; start < envelopes.Length; start += QueueLimits.MaxBatchEntries)
            await CallAsync(envelopes.AsMemory(start, Math.Min(QueueLimits.MaxBatchEntries, envelopes.Length - start)), refused);
    }

    // Calls under way are not cancelled: the outcome of their entries would be unknown.
    private async Task CallAsync(ReadOnlyMemory<ArraySegment<Outgoing>> envelopes, List<Outgoing> refused)
    {
        var entries = new SendEntry[envelopes.Length];
        for (var i = 0; i < entries.Length; i++)
        {
            envelopes.Span[i][0].IsFirst = true;
            entries[i] = new SendEntry(EnvelopeJson.Wrap(envelopes.Span[i][0].Origin, envelopes.Span[i]));
        }
        try
        {
            var results = await _target.SendAsync(entries);
            for (var i = 0; i < entries.Length; i++)
            {
                if (results[i].Failure is { SenderFault: true } && envelopes.Span[i].Count > 1)
                    refused.AddRange(envelopes.Span[i]);
                else
                    Answer(envelopes.Span[i], results[i]);
            }
        }
        catch (Exception failure)
        {
            // Every failure goes to the callers that wait for these publishes.
            for (var i = 0; i < entries.Length; i++)
            {
                foreach (var publish in envelopes.Span[i])
                    publish.Outcome.TrySetException(failure);
            }
        }
    }

    private static void Answer(ArraySegment<Outgoing> envelope, EntryResult result)
    {
        foreach (var publish in envelope)
            publish.Outcome.TrySetResult(result);
    }

    // A publisher that gave up was told that the outcome is unknown, and publishes again with the same id: sent now, it would come twice.
    private static Outgoing[] Wanted(IReadOnlyList<Outgoing> batch) => [.. batch.Where(publish => publish.TryTake())];

    /// <summary>
    /// In the order in which they came, but topics after all else: a message to a topic is soon settled, and must not stay in the queue
    /// with one that a client keeps. A publish of a raw relay connection is sent alone: its envelope names that connection.
    /// </summary>
    private IEnumerable<ArraySegment<Outgoing>> Pack(Outgoing[] publishes)
    {
        if (_pack > 1 && publishes.Any(publish => publish.IsForTopics))
            publishes = [.. publishes.OrderBy(publish => publish.IsForTopics)];
        for (int start = 0, end; start < publishes.Length; start = end)
        {
            var bytes = publishes[start].Messages.Length;
            for (end = start + 1; end < publishes.Length && end - start < _pack && MayShare(publishes[start], publishes[end]); end++)
            {
                bytes += publishes[end].Messages.Length;
                if (bytes > MaxSharedBytes)
                    break;
            }
            yield return new ArraySegment<Outgoing>(publishes, start, end - start);
        }
    }

    // What fills an envelope counts for as many publishes as may share one: a batch is full when it has about ten envelopes.
    private int ComputeWeight(Outgoing publish) => publish.Origin is not null
        ? _pack
        : Math.Clamp((int)((((long)_pack * publish.Messages.Length) + MaxSharedBytes - 1) / MaxSharedBytes), 1, _pack);

    private static bool MayShare(Outgoing one, Outgoing other) =>
        one.Origin is null && other.Origin is null && one.IsForTopics == other.IsForTopics;
}

/// <summary>Where envelopes are sent: a queue, or the topic that copies them into the queues of all nodes.</summary>
/// <param name="Name">As a sentence names it.</param>
/// <param name="MaxBatchBytes">Of all envelopes in one call together.</param>
/// <param name="SendAsync">Sends 1 to 10 envelopes. Never cancelled: their outcome would be unknown.</param>
internal sealed record EnvelopeTarget(
    string Name, int MaxBatchBytes, Func<IReadOnlyList<SendEntry>, ValueTask<IReadOnlyList<EntryResult>>> SendAsync)
{
    /// <summary>Whether a failure says that it is gone, and that another takes its place from now on. Null: it never does.</summary>
    public Func<QueueException, bool>? IsLost { get; init; }

    // No token in either: see SendAsync.
    public static EnvelopeTarget Queue(IQueue queue, string name, string url) =>
        new($"the queue {name}", QueueLimits.MaxBatchBytes, entries => queue.SendAsync(url, entries, CancellationToken.None));

    public static EnvelopeTarget Topic(ISns sns, string name, string arn) => new(
        $"the topic {name}", SnsLimits.MaxBatchBytes,
        entries => sns.PublishBatchAsync(arn, [.. entries.Select(entry => entry.Body)], CancellationToken.None));
}
