namespace PubSubOverWs.LoadTest.Harness.Network;

/// <summary>Carries out orders when they are due, on the proxy's own clock, and keeps a list of them.</summary>
public sealed class CommandScheduler(ToxicProxy proxy, TimeProvider time) : IAsyncDisposable
{
    private readonly Lock _lock = new();

    // One for each order of a run.
    private readonly List<ProxyEvent> _events = [];
    private readonly List<Task> _planned = [];
    private int _notDue;
    private CancellationTokenSource _forget = new();
    private string? _failure;

    public ProxyState State
    {
        get
        {
            lock (_lock)
            {
                return new ProxyState(
                    new Uri($"http://{proxy.EndPoint}"), proxy.Counts, [.. _events], _notDue, _failure);
            }
        }
    }

    /// <summary>Carries out the orders that are due now, and schedules the others: by time, then in list order.</summary>
    /// <param name="orders">Valid: see <see cref="ProxyOrder.FindFault"/>.</param>
    public void Take(IReadOnlyList<ProxyOrder> orders)
    {
        lock (_lock)
        {
            _planned.RemoveAll(plan => plan.IsCompleted);
            foreach (var order in orders.Where(order => order.At == TimeSpan.Zero))
                CarryOut(order);
            ProxyOrder[] later = [.. orders.Where(order => order.At > TimeSpan.Zero).OrderBy(order => order.At)];
            _notDue += later.Length;
            _planned.Add(CarryOutLaterAsync(later, _forget.Token));
        }
    }

    public async ValueTask DisposeAsync()
    {
        Task[] planned;
        lock (_lock)
        {
            _forget.Cancel();
            planned = [.. _planned];
        }
        await Task.WhenAll(planned);
        _forget.Dispose();
    }

    private async Task CarryOutLaterAsync(IReadOnlyList<ProxyOrder> orders, CancellationToken forget)
    {
        var clock = new ProxyClock(time);
        foreach (var order in orders)
        {
            if (clock.Until(order.At) is { Ticks: > 0 } wait)
                await Task.Delay(wait, time, forget).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            lock (_lock)
            {
                if (forget.IsCancellationRequested)
                    return;
                _notDue--;
                CarryOut(order);
            }
        }
    }

    private void CarryOut(ProxyOrder order)
    {
        var stamp = time.GetTimestamp();
        try
        {
            _events.Add(new ProxyEvent(stamp, order.Do, Do(order)));
        }
        catch (SocketException error)
        {
            // Another process took the port while it was closed, so clients cannot connect.
            _failure ??= $"It could not listen again at {proxy.EndPoint}: {error.Message}";
        }
    }

    private string Do(ProxyOrder order)
    {
        switch (order.Do)
        {
            case OrderKind.Toxics:
                proxy.Set(new ToxicSet(order.Toxics, order.Seed));
                return $"seed {order.Seed}: {JsonSerializer.Serialize(order.Toxics, ProxyJson.Options)}";
            case OrderKind.Cut:
                var open = proxy.Counts.Open;
                return $"{proxy.Cut(order.Share, order.Seed)} of {open}";
            case OrderKind.Refuse:
                proxy.Refuse();
                break;
            case OrderKind.Accept:
                proxy.Accept();
                break;
            case OrderKind.Stall:
                proxy.Stall();
                break;
            case OrderKind.Resume:
                proxy.Resume();
                break;
            case OrderKind.Calm:
                Calm();
                break;
        }
        return "";
    }

    private void Calm()
    {
        _forget.Cancel();
        _forget.Dispose();
        _forget = new CancellationTokenSource();
        _notDue = 0;
        proxy.Set(ToxicSet.None);
        proxy.Accept();
        proxy.Resume();
    }
}
