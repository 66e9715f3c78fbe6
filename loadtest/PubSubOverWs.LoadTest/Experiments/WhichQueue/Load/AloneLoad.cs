using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load;

/// <summary>
/// A client of the queue alone, as fast as it can: several callers send in tens, while as many receive and settle. An iteration sees it as
/// one participant, whose only send begins the measurement.
/// </summary>
/// <param name="broker">The queue; null: this run did not start it.</param>
internal sealed class AloneLoad(WhichQueueScenario scenario, Trial trial, string run, ServerGroup servers, Broker? broker)
    : ILoad, IParticipant
{
    private const int Callers = 8;

    // Of the messages: for the compiler, before anything is measured.
    private const int WarmUpShare = 10;

    private static readonly ReceiveRequest Receive = new() { WaitTime = TimeSpan.FromSeconds(1), Visibility = TimeSpan.FromMinutes(1) };

    private readonly CancellationTokenSource _stopping = new();
    private readonly SendEntry[] _batch = [.. Enumerable.Repeat(
        new SendEntry(Encoding.ASCII.GetBytes(new string('x', scenario.PayloadBytes))), QueueLimits.MaxBatchEntries)];

    private IQueue? _queue;
    private QueueUrls? _urls;
    private Task _measuring = Task.CompletedTask;
    private ConnectFailure? _failure;
    private long _toSend;
    private long _toSettle;
    private long _doneAt;
    private volatile bool _isMeasured;

    public IReadOnlyList<IParticipant> Participants => [this];

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds => new(scenario.Deadline, ConnectsUnderWay: 1, Grace: TimeSpan.Zero);

    public long Sends => 1;

    public bool IsIn => _failure is null;

    public TimeSpan DueAt(long send) => TimeSpan.Zero;

    public Task EnterAsync(TimeProvider time) => TryAsync(async () =>
    {
        var stats = await servers.ReadStatsAsync(_stopping.Token);
        var address = stats[0] is { } json && StatsReader.QueueIn(json) is { } queue
            ? new Uri(queue.Url)
            : throw new ChildException("The server does not say which queue it has: look at its /stats.");
        _queue = QueueClients.Connect(new Uri(address.GetLeftPart(UriPartial.Authority)), isOurs: broker is not null, time);
        _urls = await _queue.OpenAsync(Invariant($"{RunToken.QueuePrefix}{run}-{trial.Iteration}-alone"), _stopping.Token);
        await ThroughAsync(scenario.AloneMessages / WarmUpShare / _batch.Length * _batch.Length);
    });

    public void Begin(long firstDue) => broker?.CountWritten();

    public void Send(long send) => _measuring = Task.Run(async () =>
    {
        _isMeasured = true;
        if (IsIn)
            await ThroughAsync(scenario.AloneMessages);
        if (!IsIn)
            Waiting.Signal();
    });

    public Observed Observe(long start, long firstDue)
    {
        var account = new FlowAccount(WhichQueueScenario.Passage, scenario.Deadline);
        var due = Stopwatch.GetElapsedTime(start, firstDue);
        var isWhole = IsIn && _doneAt != 0;
        TimeSpan? done = isWhole ? Stopwatch.GetElapsedTime(start, _doneAt) : null;
        account.Add(
            new Observation("", 0, 0, due, isWhole ? due : null, done, isWhole, done, _failure?.Cause ?? Cause.None),
            scenario.AloneMessages);
        return new Observed([], [default, default], 0, Observed.Count([_failure], run))
        {
            Counted = [new FlowAccount(WhichQueueScenario.Message, scenario.Deadline), account],
            Measures = new Dictionary<string, double?>
            {
                [WhichQueueScenario.Achieved.Name] =
                    isWhole ? scenario.AloneMessages / Stopwatch.GetElapsedTime(firstDue, _doneAt).TotalSeconds : null,
                [WhichQueueScenario.Republished.Name] = 0,
            },
        };
    }

    public async Task StopSendingAsync()
    {
        await _measuring;
        if (_queue is not null && _urls is not null)
            await TryAsync(async () => await _queue.DeleteAsync(_urls, _stopping.Token));
    }

    public void Leave()
    {
        // Closed when it is disposed.
    }

    public async Task EndAsync()
    {
        await _measuring;
        if (_queue is IAsyncDisposable queue)
            await queue.DisposeAsync();
        else
            (_queue as IDisposable)?.Dispose();
        _queue = null;
    }

    public void Abort()
    {
        try
        {
            _stopping.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // Already disposed.
        }
    }

    public void Dispose() => _stopping.Dispose();

    private async Task ThroughAsync(long messages)
    {
        (_toSend, _toSettle) = (messages, messages);
        using var all = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        await Task.WhenAll(Enumerable.Range(0, Callers).SelectMany(_ => new[] { OneAsync(SendAllAsync), OneAsync(SettleAllAsync) }));

        // What one cannot do the others would wait for.
        Task OneAsync(Func<CancellationToken, Task> work) => Task.Run(async () =>
        {
            await TryAsync(() => work(all.Token));
            if (!IsIn)
                await all.CancelAsync();
        });
    }

    private async Task SendAllAsync(CancellationToken stopping)
    {
        while (Interlocked.Add(ref _toSend, -_batch.Length) >= 0)
            Check(await _queue!.SendAsync(_urls!.Url, _batch, stopping));
    }

    private async Task SettleAllAsync(CancellationToken stopping)
    {
        while (Volatile.Read(ref _toSettle) > 0)
        {
            var received = await _queue!.ReceiveAsync(_urls!.Url, Receive, stopping);
            if (received.Count == 0)
                continue;
            Check(await _queue.SettleAsync(_urls.Url, [.. received.Select(message => message.ReceiptHandle)], stopping));
            // Others still wait for messages of which there are no more. One that came twice is counted twice.
            var left = Interlocked.Add(ref _toSettle, -received.Count);
            if (left > 0 || left + received.Count <= 0 || !_isMeasured)
                continue;
            _doneAt = Stopwatch.GetTimestamp();
            Waiting.Signal();
        }
    }

    private static void Check(IReadOnlyList<EntryResult> results)
    {
        if (results.Select(result => result.Failure).FirstOrDefault(failure => failure is not null) is { } failure)
            throw new ChildException($"The queue did not do what was asked: {failure.Code}, {failure.Message}");
    }

    private async Task TryAsync(Func<Task> work)
    {
        try
        {
            await work();
        }
        catch (Exception failed) when (failed is ChildException or QueueException)
        {
            _failure ??= new ConnectFailure(Cause.ServerClosed, failed.Message);
        }
        catch (OperationCanceledException) when (_failure is not null || _stopping.IsCancellationRequested)
        {
            _failure ??= new ConnectFailure(Cause.ServerClosed, "the trial was stopped");
        }
    }
}
