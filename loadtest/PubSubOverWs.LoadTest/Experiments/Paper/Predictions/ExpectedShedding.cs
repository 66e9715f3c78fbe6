namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The expected shedding of an arm without a buffer under overload.</summary>
public static class ExpectedShedding
{
    /// <summary>
    /// An arm without a buffer sheds messages that arrive while all places are taken: 1 - capacity/offered of evenly spaced messages,
    /// Erlang's B of random ones. These are nearly even, so the share lies between the two, within <see cref="Losses.Margin"/>.
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
            return new(null, "all messages were due at once, so there is no rate");
        var rows = arm.Level.Rows;
        var load = rows.Min(row => row.Buckets.Attempts) * (cost / spread);
        if (1 - (places / load) <= Losses.Margin)
            return new(null, Invariant($"little more was published than its capacity of {places / cost.TotalSeconds:0} a second"));
        var (least, most) = (1 - (places / load), ErlangB(places, load));
        double[] shed = [.. rows.Select(row => (double)row.Buckets.Causes.Shed / row.Buckets.Attempts)];
        return new(
            shed.Min() >= least - Losses.Margin && shed.Max() <= most + Losses.Margin,
            Invariant($"from {shed.Min() * 100:0.00} % to {shed.Max() * 100:0.00} % of an iteration shed, ")
                + Invariant($"{least * 100:0.00} % to {most * 100:0.00} % expected"));
    }
}
