using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>
/// The highest rate of deliveries to all subscribers of one destination at which 99 of 100 come in time: found by trying rates. The servers
/// run all the time, and are loaded in turn.
/// </summary>
internal sealed class FanOutRow(PeersPlan plan, TimeProvider time) : RowBench
{
    /// <summary>Deliveries a second, where the first search begins.</summary>
    private const double FirstRate = 50_000;

    // Of a search, about: half of its rates fail, and those are tried twice.
    private const int Tries = 12;

    private static readonly TimeSpan BetweenTries = TimeSpan.FromSeconds(0.5);

    private readonly Dictionary<string, Running> _running = [];

    public override IReadOnlyList<PeerRow> Rows { get; } = [PeerRow.FanOut];

    public override async Task<IReadOnlyList<(PeerRow Row, double Value)>> LegAsync(
        Contender server, CancellationToken cancellationToken)
    {
        if (!_running.TryGetValue(server.Name, out var running))
        {
            var started = await server.StartAsync(cancellationToken);
            _running[server.Name] = running = new Running(
                started, await ClientTarget.ResolveAsync(started.Address, cancellationToken), FirstRate);
            using (var warmUp = running.Open(plan, server.Dialect))
                await warmUp.HoldsAsync(FirstRate, plan.WarmUp);
        }

        await SearchAsync(server, running, cancellationToken);
        return [(PeerRow.FanOut, running.Rate)];
    }

    public override TimeSpan Estimate(IReadOnlyList<Contender> servers)
    {
        var search = Tries * (plan.Step + BetweenTries + (2 * FanOutLoad.InTime));
        return servers.Count * (TimeSpan.FromSeconds(1) + plan.WarmUp + (plan.Pairs * search));
    }

    public override async ValueTask DisposeAsync()
    {
        foreach (var running in _running.Values)
            await running.Server.DisposeAsync();
        await base.DisposeAsync();
    }

    private async Task SearchAsync(Contender server, Running running, CancellationToken cancellationToken)
    {
        var search = new RateSearch(running.Rate);
        FanOutLoad? load = null;
        try
        {
            while (search.Next is { } rate)
                search.Tell(rate, await TryAsync(rate) || await TryAsync(rate));
        }
        finally
        {
            load?.Dispose();
        }

        running.Rate = search.Best ?? throw new ChildException($"{server.Name} held no rate of deliveries.");

        // Twice before it counts as failed: the machine may have been busy for a moment.
        async Task<bool> TryAsync(double rate)
        {
            cancellationToken.ThrowIfCancellationRequested();
            load ??= running.Open(plan, server.Dialect);
            if (await load.HoldsAsync(rate, plan.Step))
                return true;

            // What the server still has for these clients must not meet the next rate.
            load.Dispose();
            load = null;
            await Task.Delay(BetweenTries, time, cancellationToken);
            return false;
        }
    }

    private sealed class Running(IServerUnderLoad server, ClientTarget target, double rate)
    {
        private int _loads;

        public IServerUnderLoad Server => server;

        /// <summary>The highest that it held last.</summary>
        public double Rate { get; set; } = rate;

        public FanOutLoad Open(PeersPlan plan, Func<IDialect> dialect) => new(
            target, new LoadShape(plan.Subscribers, Depth: 1, plan.PayloadBytes, dialect)
            { Body = FanOutLoad.NumberedBody(plan.PayloadBytes) },
            $"/topic/bench-{++_loads:d5}");
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
