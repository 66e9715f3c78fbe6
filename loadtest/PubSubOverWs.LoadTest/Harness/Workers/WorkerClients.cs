using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>All clients of one load process, as one participant of the run's iteration.</summary>
/// <param name="load">Of the run, which learns what becomes of its orders.</param>
/// <param name="worker">The process; disposed with this.</param>
/// <param name="enterBy">Its clients, by the process's clock.</param>
/// <param name="limits">How long its orders may take.</param>
public sealed class WorkerClients(WorkersLoad load, LoadWorker worker, Func<ClockReading?, EnterOrder> enterBy, WorkerLimits limits)
    : IParticipant
{
    private readonly CancellationTokenSource _staying = new();
    private Task _sending = Task.CompletedTask;
    private Task _waiting = Task.CompletedTask;
    private Task _stopping = Task.CompletedTask;
    private Task _leaving = Task.CompletedTask;
    private Entered? _entered;
    private Left? _left;
    private WorkerClock? _clock;
    private ClockReading? _before;
    private long _firstDue;

    public LoadWorker Worker => worker;

    public bool IsIn => _entered is not null;

    /// <summary>Its clients that are connected and subscribed.</summary>
    public int Connected => _entered?.Connected ?? 0;

    /// <summary>What it said when its clients had left.</summary>
    /// <exception cref="ChildException">It did not say it in time.</exception>
    public Left Left => _left ?? throw worker.Unusable(WorkerOrders.Leave, "nothing came in time");

    /// <summary>Its clock during the trial, after its clients have left.</summary>
    public WorkerClock Clock => _clock ?? WorkerClock.Same;

    /// <exception cref="ChildException">The process did not do it.</exception>
    public async Task EnterAsync(TimeProvider time) =>
        _entered = await AskAsync<Entered>(WorkerOrders.Enter, enterBy(await ReadClockAsync()), limits.Enter);

    /// <summary>Has it send from then on.</summary>
    /// <param name="firstDue">A stamp of <see cref="System.Diagnostics.Stopwatch"/>.</param>
    public void Begin(long firstDue)
    {
        _sending = SendAsync(firstDue);
        _waiting = WaitAsync();
    }

    /// <exception cref="ChildException">The process did not send all.</exception>
    public Task StopSendingAsync() => _stopping = StopAsync();

    public void Leave() => _leaving = LeaveAsync();

    public Task EndAsync() => Task.WhenAll(_sending, _waiting, _stopping, _leaving);

    public void Abort()
    {
        try
        {
            _staying.Cancel();
        }
        catch (ObjectDisposedException)
        {
            // Already disposed.
        }
    }

    public void Dispose()
    {
        _staying.Dispose();
        worker.Dispose();
    }

    private async Task SendAsync(long firstDue)
    {
        (_firstDue, _before) = (firstDue, await ReadClockAsync());
        var there = _before?.ThereAt(firstDue) ?? firstDue;
        if (await AskAsync<Done>(WorkerOrders.Begin, new BeginOrder(there), limits.Send) is not null)
            load.Sent();
    }

    private async Task WaitAsync()
    {
        await _sending.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing); // The caller that stops it sees the failure.
        if (_sending.IsCompletedSuccessfully)
            await AskAsync<Done>(WorkerOrders.Wait, Done.Value, Timeout.InfiniteTimeSpan);
        load.Waiting.Signal();
    }

    private async Task StopAsync()
    {
        await _sending;
        await AskAsync<Done>(WorkerOrders.Stop, Done.Value, limits.Leave);
    }

    private async Task LeaveAsync()
    {
        _left = await AskAsync<Left>(WorkerOrders.Leave, Done.Value, limits.Leave);
        if (_before is { } before && await ReadClockAsync() is { } after)
            _clock = new WorkerClock(before, after, _firstDue);
    }

    private Task<ClockReading?> ReadClockAsync() => AskAsync(worker.ReadClockAsync);

    private Task<T?> AskAsync<T>(string order, object body, TimeSpan atMost)
        where T : class => AskAsync(async staying => (T?)await worker.AskAsync<T>(order, body, atMost, staying));

    // Null: the iteration was aborted, or another process has failed.
    private async Task<T?> AskAsync<T>(Func<CancellationToken, Task<T?>> ask)
        where T : class
    {
        try
        {
            return await ask(_staying.Token);
        }
        catch (OperationCanceledException)
        {
            return null;
        }
        catch (ChildException)
        {
            load.Failed();
            throw;
        }
    }
}

/// <summary>How long the orders of a trial may take a load process.</summary>
/// <param name="Enter">Until its clients have connected or failed.</param>
/// <param name="Send">From the order until it has sent all.</param>
/// <param name="Leave">Until its clients have left.</param>
public sealed record WorkerLimits(TimeSpan Enter, TimeSpan Send, TimeSpan Leave)
{
    // For an order to come, and for what is large to go back, on a machine that is busy.
    private static readonly TimeSpan Margin = TimeSpan.FromSeconds(20);

    /// <param name="clients">Of one process, at most.</param>
    /// <param name="underWay">So many of them connect at the same time.</param>
    /// <param name="lastDue">After the order to send.</param>
    public static WorkerLimits For(int clients, int underWay, TimeSpan lastDue) => new(
        LoadBounds.DefaultConnectTimeout * Math.Ceiling((double)clients / underWay) + Margin,
        lastDue + Margin,
        LoadClients.CloseTimeout + Margin);
}

/// <summary>An order without anything to it, and the answer to one.</summary>
public sealed record Done
{
    public static Done Value { get; } = new();
}
