using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>
/// All clients of a trial, which an iteration sees as one: it enters when they are connected and warm, and its only send begins the
/// measurement, so that the CPU times of the row are those of what is measured.
/// </summary>
internal abstract class RowLoad(PeersTrial trial) : ILoad, IParticipant
{
    /// <summary>
    /// A measure of the load alone: the round trips of the measured time, where the figure is the CPU time of one.
    /// </summary>
    public const string Messages = "messages";

    // It ends by itself.
    private static readonly TimeSpan Longest = TimeSpan.FromHours(1);

    private readonly CancellationTokenSource _stopping = new();
    private readonly Dictionary<string, double?> _measures =
        new() { [PeersScenario.Figure.Name] = null, [PeersScenario.Throughput.Name] = null };
    private TimeProvider _time = TimeProvider.System;
    private Task _measuring = Task.CompletedTask;
    private ConnectFailure? _failure;
    private bool _isDisposed;

    public IReadOnlyList<IParticipant> Participants => [this];

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds { get; } = new(Longest, ConnectsUnderWay: 1, Grace: TimeSpan.Zero);

    public long Sends => 1;

    public bool IsIn => _failure is null;

    protected PeersTrial Trial => trial;

    protected TimeProvider Time => _time;

    /// <summary>The connections that were opened.</summary>
    protected abstract int Opened { get; }

    public TimeSpan DueAt(long send) => TimeSpan.Zero;

    public Task EnterAsync(TimeProvider time)
    {
        _time = time;
        return TryAsync(PrepareAsync);
    }

    public void Send(long send) => _measuring = Task.Run(async () =>
    {
        if (IsIn)
            await TryAsync(MeasureAsync);
        Waiting.Signal();
    });

    public Observed Observe(long start, long firstDue)
    {
        var account = new FlowAccount(PeersScenario.Connection, trial.Scenario.Deadline);
        var due = Stopwatch.GetElapsedTime(start, firstDue);
        for (var client = 0; client < trial.Clients; client++)
        {
            TimeSpan? sent = client < Opened ? due : null;
            TimeSpan? whole = sent is not null && IsWhole(client)
                ? OpenedAt(client) is { } stamp ? Stopwatch.GetElapsedTime(start, stamp) : due
                : null;
            account.Add(new Observation("", client, client, due, sent, null, false, whole, _failure?.Cause ?? Cause.None));
        }

        return new Observed([], [default], 0, Observed.Count([_failure], trial.Run))
        {
            Counted = [account],
            Connected = Opened,
            Measures = _measures,
        };
    }

    public virtual Task StopSendingAsync() => Task.CompletedTask;

    /// <summary>Closes all connections.</summary>
    public abstract void Leave();

    public virtual Task EndAsync() => _measuring;

    /// <summary>Also after it was disposed.</summary>
    public virtual void Abort()
    {
        if (!_isDisposed)
            _stopping.Cancel();
    }

    public void Dispose()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        Leave();
        _stopping.Dispose();
    }

    /// <summary>Before anything is measured.</summary>
    /// <exception cref="ChildException">A server did not do as it should.</exception>
    protected abstract Task PrepareAsync(CancellationToken stopping);

    /// <summary>Measures, and keeps the figure.</summary>
    /// <inheritdoc cref="PrepareAsync"/>
    protected abstract Task MeasureAsync(CancellationToken stopping);

    /// <summary>Everything that a client sent has come back.</summary>
    protected virtual bool IsWhole(int client) => _failure is null;

    /// <summary>When a client was opened, while it was measured: a stamp of <see cref="Stopwatch"/>. Null: before that.</summary>
    protected virtual long? OpenedAt(int client) => null;

    protected void Keep(string measure, double value) => _measures[measure] = value;

    private async Task TryAsync(Func<CancellationToken, Task> work)
    {
        try
        {
            await work(_stopping.Token);
        }
        catch (Exception failed) when (failed is ChildException or QueueException)
        {
            _failure = new ConnectFailure(Cause.ServerClosed, failed.Message);
        }
        catch (OperationCanceledException) when (_stopping.IsCancellationRequested)
        {
            _failure = new ConnectFailure(Cause.ServerClosed, "the trial was stopped");
        }
    }
}
