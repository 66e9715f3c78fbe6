using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// Queues in memory, as far as a broker can see: visibility by a clock that the test moves, receives that wait until they are ended.
/// </summary>
internal sealed class FakeSqs(FakeTime time) : ISqs
{
    private readonly Lock _lock = new();
    private readonly TaskCompletionSource _sendCame = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Dictionary<string, List<Stored>> _queues = [];
    private readonly Dictionary<string, Stored> _byHandle = [];
    private readonly List<TimeSpan> _waitTimes = [];
    private readonly List<(string QueueUrl, TaskCompletionSource End)> _polls = [];
    private int _lastHandle;

    public QueueTraffic Traffic { get; } = new();

    /// <summary>Asked before each call: what it is to fail with, or null.</summary>
    public Func<QueueCall, QueueException?> Fault { get; set; } = _ => null;

    /// <summary>Asked for each entry of a batch: what it is to fail with, or null.</summary>
    public Func<QueueCall, EntryFailure?> EntryFault { get; set; } = _ => null;

    /// <summary>
    /// Asked for each message that is sent to a queue: what it is to fail with, or null. What it throws, the whole call does.
    /// </summary>
    public Func<string, SendEntry, EntryFailure?> SendFault { get; set; } = (_, _) => null;

    /// <summary>Each visibility change waits for what this returns, unless it is cancelled.</summary>
    public Func<IReadOnlyList<HoldEntry>, CancellationToken, Task> ChangeGate { get; set; } = (_, _) => Task.CompletedTask;

    /// <summary>While it is not completed, sends get no answer.</summary>
    public Task SendGate { get; set; } = Task.CompletedTask;

    /// <summary>Completes when the first send has come.</summary>
    public Task SendCame => _sendCame.Task;

    /// <summary>The URL of a queue that lists do not have, though it is there; null: they have all.</summary>
    public string? LeftOutOfLists { get; set; }

    public Dictionary<string, QueueSettings> Created { get; } = [];

    public List<HoldEntry> Changes { get; } = [];

    public static QueueException Away { get; } = new(SqsErrorCode.Unreachable, "The queue is away.", isRetryable: true);

    public static string UrlOf(string name) => $"http://queue/{name}";

    /// <summary>Has these queues from the beginning.</summary>
    public FakeSqs With(params string[] names)
    {
        foreach (var name in names)
            _queues.Add(UrlOf(name), []);
        return this;
    }

    /// <summary>Sends each body in a message of its own.</summary>
    public async Task PutAsync(string name, params IEnumerable<byte[]> bodies)
    {
        foreach (var ten in bodies.Chunk(QueueLimits.MaxBatchEntries))
            await SendAsync(UrlOf(name), [.. ten.Select(body => new SendEntry(body))], CancellationToken.None);
    }

    /// <summary>Receives up to ten.</summary>
    public async Task<IReadOnlyList<ReceivedMessage>> GetAsync(string name, TimeSpan? visibility = null, int most = 10) =>
        await ReceiveAsync(
            UrlOf(name), new ReceiveRequest { MaxMessages = most, Visibility = visibility ?? TimeSpan.FromSeconds(30) },
            CancellationToken.None);

    /// <summary>Sends get no answer until the result is set.</summary>
    public TaskCompletionSource HoldSends()
    {
        var gate = new TaskCompletionSource();
        SendGate = gate.Task;
        return gate;
    }

    /// <summary>The bodies in a queue, in flight or not.</summary>
    public IReadOnlyList<ReadOnlyMemory<byte>> Bodies(string name)
    {
        lock (_lock)
            return [.. _queues[UrlOf(name)].Select(message => message.Body)];
    }

    /// <summary>Hidden because they were received, or given back for later.</summary>
    public int InFlight(string name)
    {
        lock (_lock)
            return _queues[UrlOf(name)].Count(message => message.Receives > 0 && !IsVisible(message));
    }

    /// <summary>Hidden because they were received, and visible again within that time unless they are renewed.</summary>
    public int Lapsing(string name, TimeSpan within)
    {
        lock (_lock)
            return _queues[UrlOf(name)].Count(message =>
                message.Receives > 0 && !IsVisible(message) && message.VisibleAt <= time.GetUtcNow() + within);
    }

    public int Visible(string name)
    {
        lock (_lock)
            return _queues[UrlOf(name)].Count(IsVisible);
    }

    /// <summary>Receives that wait.</summary>
    public int PollsUnderWay(string name)
    {
        lock (_lock)
            return _polls.Count(poll => poll.QueueUrl == UrlOf(name));
    }

    /// <summary>Ends the receives that wait: with what is visible now, or with nothing.</summary>
    /// <returns>True, so that a wait may do it.</returns>
    public bool EndPolls()
    {
        (string, TaskCompletionSource End)[] polls;
        lock (_lock)
        {
            polls = [.. _polls];
            _polls.Clear();
        }
        foreach (var poll in polls)
            poll.End.SetResult();
        return true;
    }

    public ValueTask<string> CreateQueueAsync(string name, QueueSettings settings, CancellationToken cancellationToken)
    {
        Count(QueueCall.Other);
        Created.Add(name, settings);
        _queues.Add(UrlOf(name), []);
        return new(UrlOf(name));
    }

    public ValueTask<string> GetQueueUrlAsync(string name, CancellationToken cancellationToken)
    {
        Count(QueueCall.Other);
        return _queues.ContainsKey(UrlOf(name))
            ? new(UrlOf(name))
            : throw Missing();
    }

    public ValueTask<QueueAttributes> GetQueueAttributesAsync(string queueUrl, CancellationToken cancellationToken)
    {
        Count(QueueCall.Other);
        return new(new QueueAttributes($"arn:{queueUrl}", _queues[queueUrl].Count, 0, 0, new QueueSettings()));
    }

    public async ValueTask<IReadOnlyList<EntryResult>> SendAsync(
        string queueUrl, IReadOnlyList<SendEntry> entries, CancellationToken cancellationToken)
    {
        Count(QueueCall.Send);
        _sendCame.TrySetResult();
        await SendGate.WaitAsync(cancellationToken);
        lock (_lock)
        {
            if (!_queues.ContainsKey(queueUrl))
                throw Missing();
        }
        var faults = new Queue<EntryFailure?>([.. entries.Select(entry => SendFault(queueUrl, entry))]);
        var results = Each(QueueCall.Send, entries, entry =>
        {
            if (faults.Dequeue() is { } fault)
                return fault;
            _queues[queueUrl].Add(new Stored(entry.Body, time.GetUtcNow() + (entry.Delay ?? TimeSpan.Zero)));
            return null;
        });
        EndPolls();
        return results;
    }

    /// <summary>For how long each receive was to wait, in their order.</summary>
    public IReadOnlyList<TimeSpan> WaitTimes
    {
        get
        {
            lock (_lock)
                return [.. _waitTimes];
        }
    }

    public async ValueTask<IReadOnlyList<ReceivedMessage>> ReceiveAsync(
        string queueUrl, ReceiveRequest request, CancellationToken stopping)
    {
        stopping.ThrowIfCancellationRequested();
        Count(QueueCall.Receive);
        lock (_lock)
            _waitTimes.Add(request.WaitTime);
        if (Take(queueUrl, request) is { Count: > 0 } present)
            return present;
        var poll = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lock (_lock)
            _polls.Add((queueUrl, poll));
        await poll.Task;
        return Take(queueUrl, request);
    }

    public ValueTask<IReadOnlyList<EntryResult>> SettleAsync(
        string queueUrl, IReadOnlyList<string> receiptHandles, CancellationToken cancellationToken)
    {
        Count(QueueCall.Settle);
        return new(Each(
            QueueCall.Settle, receiptHandles, handle => Find(handle) is { } message && Remove(queueUrl, message) ? null : Stale));
    }

    public async ValueTask<IReadOnlyList<EntryResult>> HoldAsync(
        string queueUrl, IReadOnlyList<HoldEntry> entries, CancellationToken cancellationToken)
    {
        Count(QueueCall.Hold);
        await ChangeGate(entries, cancellationToken);
        return Each(QueueCall.Hold, entries, entry =>
        {
            Changes.Add(entry);
            if (Find(entry.ReceiptHandle) is not { } message)
                return Stale;
            message.VisibleAt = time.GetUtcNow() + entry.Visibility;
            return null;
        });
    }

    public ValueTask DeleteQueueAsync(string queueUrl, CancellationToken cancellationToken)
    {
        Count(QueueCall.Other);
        lock (_lock)
            return _queues.Remove(queueUrl) ? ValueTask.CompletedTask : throw Missing();
    }

    public ValueTask<IReadOnlyList<string>> ListQueuesAsync(string prefix, CancellationToken cancellationToken)
    {
        Count(QueueCall.Other);
        lock (_lock)
            return new([.. _queues.Keys.Where(url => url.StartsWith(UrlOf(prefix), StringComparison.Ordinal) && url != LeftOutOfLists)]);
    }

    private static QueueException Missing() => new(SqsErrorCode.QueueDoesNotExist, "There is no such queue.", isRetryable: false);

    private static EntryFailure Stale { get; } = new(
        SqsErrorCode.ReceiptHandleIsInvalid, "The receipt handle is stale.", SenderFault: true);

    private void Count(QueueCall call)
    {
        Traffic.CountCall(call, bytesOut: 100);
        if (Fault(call) is { } fault)
            throw fault;
    }

    private EntryResult[] Each<T>(QueueCall call, IReadOnlyList<T> entries, Func<T, EntryFailure?> act)
    {
        lock (_lock)
            return [.. entries.Select(entry => new EntryResult(EntryFault(call) ?? act(entry)))];
    }

    private List<ReceivedMessage> Take(string queueUrl, ReceiveRequest request)
    {
        lock (_lock)
        {
            MoveDeadLetters(queueUrl);
            var taken = (_queues.GetValueOrDefault(queueUrl) ?? throw Missing()).Where(IsVisible).Take(request.MaxMessages).ToList();
            foreach (var message in taken)
            {
                message.VisibleAt = time.GetUtcNow() + (request.Visibility ?? TimeSpan.FromSeconds(30));
                message.Handle = $"handle-{++_lastHandle}";
                _byHandle[message.Handle] = message;
                message.Receives++;
            }
            return taken.ConvertAll(message => new ReceivedMessage("id", message.Handle!, message.Body, message.Receives));
        }
    }

    // As SQS does: what was received too often is not handed out again.
    private void MoveDeadLetters(string queueUrl)
    {
        if (Created.GetValueOrDefault(queueUrl[UrlOf("").Length..])?.RedrivePolicy is not { } redrive)
            return;
        var dead = _queues[queueUrl].FindAll(message => IsVisible(message) && message.Receives >= redrive.MaxReceiveCount);
        _queues[queueUrl].RemoveAll(dead.Contains);
        _queues[redrive.DeadLetterTargetArn["arn:".Length..]].AddRange(dead);
    }

    private bool Remove(string queueUrl, Stored message) => message.IsDeleted = _queues[queueUrl].Remove(message);

    private Stored? Find(string handle) =>
        _byHandle.GetValueOrDefault(handle) is { IsDeleted: false } message && message.Handle == handle ? message : null;

    private bool IsVisible(Stored message) => message.VisibleAt <= time.GetUtcNow();

    private sealed class Stored(ReadOnlyMemory<byte> body, DateTimeOffset visibleAt)
    {
        public ReadOnlyMemory<byte> Body => body;

        public DateTimeOffset VisibleAt { get; set; } = visibleAt;

        public string? Handle { get; set; }

        public int Receives { get; set; }

        public bool IsDeleted { get; set; }
    }
}
