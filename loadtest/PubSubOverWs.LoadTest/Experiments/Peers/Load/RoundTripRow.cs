namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>
/// Rows on CPU: every connection keeps its messages under way, each of which comes back to its sender. And the row start: how fast that is
/// in the first seconds of a server.
/// </summary>
internal sealed class RoundTripRow : RowLoad
{
    private static readonly TimeSpan First = TimeSpan.FromSeconds(3);

    private readonly SaturatingClient[] _clients;
    private readonly Saturation _load;
    private Task _running = Task.CompletedTask;
    private int _opened;

    public RoundTripRow(PeersTrial trial)
        : base(trial)
    {
        var shape = trial.Shape(
            trial.Row == PeerRow.Cpu ? Writes.Single : trial.Row == PeerRow.CpuTogether ? Writes.Together : Writes.AsCame);
        var target = trial.Servers.TargetOf(0);
        // As long for every client.
        _clients = [.. Enumerable.Range(0, trial.Clients)
            .Select(index => new SaturatingClient(target, shape, Invariant($"/queue/{trial.Name}-{index:d5}"), index))];
        _load = new Saturation(_clients, shape.Depth);
    }

    protected override int Opened => _opened;

    public override Task StopSendingAsync()
    {
        _load.Stop();
        return Task.WhenAny(_running);
    }

    public override void Leave()
    {
        foreach (var client in _clients)
            client.Dispose();
    }

    public override Task EndAsync() => Task.WhenAll(base.EndAsync(), Task.WhenAny(_running));

    public override void Abort()
    {
        base.Abort();
        _load.Stop();
    }

    protected override async Task PrepareAsync(CancellationToken stopping)
    {
        if (Trial.Row == PeerRow.Start)
            return;
        Open(stopping);
        await WaitAsync(Trial.Scenario.WarmFor, stopping);
    }

    protected override async Task MeasureAsync(CancellationToken stopping)
    {
        if (Trial.Row != PeerRow.Start)
        {
            var (rate, messages) = await RateAsync(stopping);
            Keep(Messages, messages);
            Keep(PeersScenario.Throughput.Name, rate);
            return;
        }

        // The clients connect within these seconds, as they would.
        var begun = Time.GetTimestamp();
        Open(stopping);
        await WaitAsync(First - Time.GetElapsedTime(begun), stopping);
        var first = _load.Messages / First.TotalSeconds;
        await WaitAsync(Trial.Scenario.WarmFor, stopping);
        var (warm, _) = await RateAsync(stopping);
        Keep(PeersScenario.Figure.Name, first / warm);
        Keep(PeersScenario.Throughput.Name, warm);
    }

    protected override bool IsWhole(int client) => base.IsWhole(client) && _clients[client].UnderWay == 0;

    private void Open(CancellationToken stopping)
    {
        foreach (var client in _clients)
        {
            stopping.ThrowIfCancellationRequested();
            client.Open();
            _opened++;
        }

        _running = _load.RunAsync();
    }

    private async Task<(double PerSecond, long Messages)> RateAsync(CancellationToken stopping)
    {
        var messages = _load.Messages;
        var start = Time.GetTimestamp();
        await WaitAsync(Trial.Scenario.For, stopping);
        messages = _load.Messages - messages;
        return (messages / Time.GetElapsedTime(start).TotalSeconds, messages);
    }

    // Unless the load ends first, which it does by failing.
    private async Task WaitAsync(TimeSpan length, CancellationToken stopping)
    {
        var wait = Task.Delay(length > TimeSpan.Zero ? length : TimeSpan.Zero, Time, stopping);
        if (await Task.WhenAny(_running, wait) == _running)
            await _running;
        await wait;
    }
}
