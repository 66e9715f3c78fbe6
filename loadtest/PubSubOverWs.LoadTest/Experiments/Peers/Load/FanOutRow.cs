using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>
/// The highest rate of deliveries to all subscribers of one destination at which 99 of 100 come in time: found by trying rates.
/// </summary>
internal sealed class FanOutRow(PeersTrial trial) : RowLoad(trial)
{
    /// <summary>Deliveries a second, where a search begins.</summary>
    private const double FirstRate = 50_000;

    // Of the time that is measured: how long a rate is tried.
    private const double StepShare = 0.4;

    private static readonly TimeSpan BetweenTries = TimeSpan.FromSeconds(0.5);

    private int _loads;
    private FanOutClients? _clients;

    protected override int Opened => _loads > 0 ? Trial.Clients : 0;

    public override void Leave() => _clients?.Dispose();

    protected override async Task PrepareAsync(CancellationToken stopping)
    {
        if (Trial.Scenario.WarmFor > TimeSpan.Zero)
            await Open().HoldsAsync(FirstRate, Trial.Scenario.WarmFor, stopping);
        Close();
    }

    protected override async Task MeasureAsync(CancellationToken stopping)
    {
        var search = new RateSearch(FirstRate);
        while (search.Next is { } rate)
            // Twice before it counts as failed: the machine may have been busy for a moment.
            search.Tell(rate, await TryAsync(rate, stopping) || await TryAsync(rate, stopping));
        Keep(
            PeersScenario.Figure.Name,
            search.Best ?? throw new ChildException($"{Trial.Trial.Arm} held no rate of deliveries."));
    }

    private async Task<bool> TryAsync(double rate, CancellationToken stopping)
    {
        if (await (_clients ?? Open()).HoldsAsync(rate, Trial.Scenario.For * StepShare, stopping))
            return true;
        stopping.ThrowIfCancellationRequested();
        // What the server still has for these clients must not meet the next rate.
        Close();
        await Task.Delay(BetweenTries, Time, stopping);
        return false;
    }

    private FanOutClients Open() => _clients = new FanOutClients(
        Trial.Servers.TargetOf(0),
        Trial.Shape() with
        {
            Connections = Trial.Scenario.Subscribers,
            Depth = 1,
            Body = FanOutClients.NumberedBody(Trial.Scenario.PayloadBytes),
        },
        Invariant($"/topic/{Trial.Name}-{++_loads:d5}"));

    private void Close()
    {
        _clients?.Dispose();
        _clients = null;
    }
}

/// <summary>Which rate to try next, to find the highest that a server holds.</summary>
/// <param name="first">Where to begin.</param>
internal sealed class RateSearch(double first)
{
    private const double Step = 1.5;
    private const double Least = 1_000;

    /// <summary>It ends when the next higher rate that failed is at most so much above.</summary>
    private const double Fine = 1.05;

    private double? _failed;

    /// <summary>The highest rate that was held; null: none was.</summary>
    public double? Best { get; private set; }

    /// <summary>Null: the search has ended.</summary>
    public double? Next => (Best, _failed) switch
    {
        (null, null) => first,
        (null, { } failed) => failed / Step < Least ? null : failed / Step,
        ({ } best, null) => best * Step,
        ({ } best, { } failed) => failed / best <= Fine ? null : Math.Sqrt(best * failed),
    };

    public void Tell(double rate, bool holds)
    {
        if (holds)
            Best = rate;
        else
            _failed = rate;
    }
}
