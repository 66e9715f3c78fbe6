using System.Globalization;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>What an arm where nothing waits sheds under overload.</summary>
public static class ExpectedShedding
{
    /// <summary>
    /// An arm where nothing waits drops what comes while all places are taken, and says so: of messages that come evenly
    /// 1 - capacity/offered, of messages that come by chance Erlang's B; these come nearly evenly, and so it is between the two, give or
    /// take <see cref="Losses.Margin"/>.
    /// </summary>
    /// <param name="arm">Which.</param>
    /// <param name="places">Deliveries at a time, from 1.</param>
    /// <param name="cost">How long one takes, above 0.</param>
    public static Expectation OfLossSystem(string arm, int places, TimeSpan cost) => new(
        "sheds",
        $"in every iteration {arm} sheds what a loss system sheds: from 1 - capacity/offered to Erlang's B, within a percentage point",
        [arm], evidence => Sheds(evidence.Of(arm), evidence.Spread, places, cost));

    /// <summary>The share of Poisson arrivals that find all places taken (Erlang's formula B, by its recursion).</summary>
    /// <param name="places">From 1.</param>
    /// <param name="load">Arrivals times the time that each takes, in erlangs; above 0.</param>
    public static double ErlangB(int places, double load)
    {
        var blocked = 1.0;
        for (var place = 1; place <= places; place++)
            blocked = load * blocked / (place + (load * blocked));
        return blocked;
    }

    private static ExpectationAnswer Sheds(ArmEvidence arm, TimeSpan spread, int places, TimeSpan cost)
    {
        if (spread == TimeSpan.Zero)
            return new(null, "all messages were due at once, which is no rate");
        var rows = arm.Level.Rows;
        var load = rows.Min(row => row.Buckets.Attempts) * (cost / spread);
        if (1 - (places / load) <= Losses.Margin)
            return new(null, string.Create(
                CultureInfo.InvariantCulture,
                $"hardly more was published than the {places / cost.TotalSeconds:0} a second that it can deliver"));
        var (least, most) = (1 - (places / load), ErlangB(places, load));
        double[] shed = [.. rows.Select(row => (double)row.Buckets.Causes.Shed / row.Buckets.Attempts)];
        return new(shed.Min() >= least - Losses.Margin && shed.Max() <= most + Losses.Margin, string.Create(
            CultureInfo.InvariantCulture,
            $"from {shed.Min() * 100:0.00} % to {shed.Max() * 100:0.00} % of an iteration shed, {least * 100:0.00} % to "
                + $"{most * 100:0.00} % expected"));
    }
}
