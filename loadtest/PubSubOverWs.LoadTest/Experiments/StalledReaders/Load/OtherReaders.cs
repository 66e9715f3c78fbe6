using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;

/// <summary>
/// All connections beside the readers: brings them to what they do before anything is sent, asks the server what it cost, and ends them.
/// </summary>
public sealed class OtherReaders : IParticipant
{
    private const double MiB = 1024 * 1024;

    // Beyond the CloseTimeout that the server has here.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    // Beyond Queue:Settle:Linger (10 ms) and a call, after which a message that was taken is deleted from the queue.
    private static readonly TimeSpan Settling = TimeSpan.FromMilliseconds(200);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(5);

    private readonly StalledReadersPlan _plan;
    private readonly ServerGroup _servers;
    private readonly Countdown _coming;
    private readonly Countdown _ending;
    private readonly Countdown? _waiting;
    private readonly TaskCompletionSource _mayRead = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _cut = new();
    private Task<ServerState?> _before = Task.FromResult<ServerState?>(null);
    private ServerState? _first;
    private ServerState? _after;
    private long? _residentBytes;
    private int _rounds;
    private long _read;
    private long _readAtEnd;
    private int _told;
    private bool _isDisposed;

    /// <param name="waiting">Told once, when those that read have read everything; null: nothing is waited for.</param>
    public OtherReaders(StalledReadersPlan plan, ServerGroup servers, Countdown? waiting)
    {
        _plan = plan;
        _servers = servers;
        _waiting = waiting;
        _coming = new Countdown(plan.Others);
        _ending = new Countdown(plan.Others);
        Members = [.. Enumerable.Range(0, plan.Others).Select(i => new OtherReader(i, plan, servers.TargetOf(i), this))];
        if (plan.Doing == Doing.Reading)
            _mayRead.SetResult();
    }

    public IReadOnlyList<OtherReader> Members { get; }

    /// <summary>Completes when they may read what has come.</summary>
    public Task MayRead => _mayRead.Task;

    /// <summary>All was counted: that they are gone is no failure.</summary>
    public bool AreDone { get; private set; }

    /// <summary>False: its members are the clients, and it is none.</summary>
    public bool IsIn => false;

    /// <summary>One of them has subscribed, or failed to.</summary>
    public void HasCome() => _coming.Signal();

    /// <summary>The connection of one of them has ended.</summary>
    public void HasEnded() => _ending.Signal();

    /// <summary>One of them read a message.</summary>
    public void HaveRead()
    {
        if (Interlocked.Increment(ref _read) == _plan.MessagesToOthers)
            _waiting?.Signal();
    }

    /// <summary>One of them read an ERROR.</summary>
    public void IsTold() => Interlocked.Increment(ref _told);

    /// <summary>The judged half begins. Never waits.</summary>
    public void BeginHalf() => _before = Task.Run(() => AskAsync(_cut.Token));

    public async Task EnterAsync(TimeProvider time)
    {
        _first = await AskAsync(_cut.Token);
        await _coming.Reached.WaitAsync(_cut.Token);
        if (_plan.Doing is not (Doing.Stalled or Doing.Disconnected))
            return;
        var slow = _first?.Slow;
        var fullness = new Fullness();
        using var filling = new Filling(
            _servers.TargetOf(0), [.. Enumerable.Range(0, _plan.Others).Select(_plan.Topic)], Filling.LargeBytes);
        await filling.ConnectAsync();
        _rounds = await filling.UntilAsync(
            async () => _plan.Doing == Doing.Stalled
                ? fullness.IsReachedAt((await SettledAsync()).Taken)
                : (await StateAsync()).Slow - slow >= _plan.Others,
            _cut.Token);
        if (_plan.Doing == Doing.Disconnected)
            await ReadToEndAsync(time);

        // A message of the round that is still in the queue may yet be shed.
        async Task<ServerState> SettledAsync()
        {
            var state = await StateAsync();
            var since = time.GetTimestamp();
            for (; state.InQueue > 0 && time.GetElapsedTime(since) < Settling; state = await StateAsync())
                await Task.Delay(BetweenLooks, time, _cut.Token);
            return state;
        }

        async Task<ServerState> StateAsync() =>
            await AskAsync(_cut.Token) ?? throw new ChildException("The server did not answer /stats.");
    }

    public async Task StopSendingAsync()
    {
        _after = await AskAsync(_cut.Token);
        _residentBytes = _servers.Processes is [var process] ? process.Use.ResidentBytes : null;
        _readAtEnd = Interlocked.Read(ref _read);
        AreDone = true;
        // With messages that wait for them the queue would not become empty.
        foreach (var one in Members)
            one.Abort();
        _mayRead.TrySetResult();
    }

    public void Leave()
    {
    }

    public Task EndAsync() => Task.CompletedTask;

    public void Abort()
    {
        if (!_isDisposed)
            _cut.Cancel();
        _mayRead.TrySetResult();
    }

    public void Dispose()
    {
        _isDisposed = true;
        _cut.Dispose();
    }

    /// <summary>The measures of the trial, once it has ended.</summary>
    /// <param name="sent">Messages that readers sent to other connections.</param>
    public Dictionary<string, double?> Measures(long sent)
    {
        var before = _before.IsCompletedSuccessfully ? _before.Result : null;
        return new()
        {
            [StalledReadersScenario.Heap.Name] = _after?.HeapBytes / MiB,
            [StalledReadersScenario.HeapLimit.Name] = _after?.HeapLimitBytes / MiB,
            [StalledReadersScenario.Resident.Name] = _residentBytes / MiB,
            [StalledReadersScenario.Collections0.Name] = Collections(0),
            [StalledReadersScenario.Collections1.Name] = Collections(1),
            [StalledReadersScenario.Collections2.Name] = Collections(2),
            [StalledReadersScenario.Paused.Name] = (_after?.Paused - before?.Paused)?.TotalMilliseconds,
            [StalledReadersScenario.Rounds.Name] = _rounds,
            [StalledReadersScenario.OthersSent.Name] = sent,
            [StalledReadersScenario.OthersRead.Name] = _readAtEnd,
            [StalledReadersScenario.Disconnected.Name] = _after?.Slow - _first?.Slow,
            [StalledReadersScenario.Told.Name] = _told,
        };

        double? Collections(int generation) => _after?.Collections[generation] - before?.Collections[generation];
    }

    private async Task ReadToEndAsync(TimeProvider time)
    {
        _mayRead.TrySetResult();
        try
        {
            await _ending.Reached.WaitAsync(Patience, time, _cut.Token);
        }
        catch (TimeoutException)
        {
            throw new ChildException(
                $"{Patience.TotalSeconds:0} s after the server was to disconnect all connections that did not read, one is still open.");
        }
    }

    // Null: there is no single server that tells.
    private async Task<ServerState?> AskAsync(CancellationToken cancellationToken) =>
        await _servers.ReadStatsAsync(cancellationToken) is [{ } json] ? ServerState.Parse(json) : null;
}
