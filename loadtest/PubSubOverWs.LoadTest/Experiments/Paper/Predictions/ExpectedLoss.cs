namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The expected loss of one arm.</summary>
public static class ExpectedLoss
{
    /// <summary>The largest deviation of the loss from the one that the offline windows predict.</summary>
    public const double Within = 0.25;

    /// <summary>An arm delivers every message in time.</summary>
    public static Expectation None(string arm) => new("nothing-is-lost", $"{arm} loses nothing", [arm], evidence =>
    {
        var found = evidence.Of(arm);
        return found.Buckets.Lost > 0
            ? new(false, $"{found.Lost} lost")
            : new(true, $"{found.Lost} lost; {NoneIn(found.Level.Rows.Count)}");
    });

    /// <summary>The bound that no loss implies. Losses are clustered, so it depends on the number of iterations, not of messages.</summary>
    /// <param name="iterations">1 or more.</param>
    public static string NoneIn(int iterations) =>
        Invariant($"with {iterations} iterations at most {ExactInterval.Compute(0, iterations, 0.95)!.Value.High * 100:0.0} % of ")
            + "iterations lose any (95 %)";

    /// <summary>An arm that stores nothing loses what was published in the measured offline windows, within a quarter.</summary>
    public static Expectation AsForecast(string arm) => new(
        "loss-is-as-forecast", $"the loss of {arm} agrees with the offline windows as measured, within a quarter", [arm],
        evidence => AgainstForecast(evidence.Of(arm)));

    /// <summary>Under churn an arm that stores nothing loses W'/(C + W') with the measured mean window W', within a quarter.</summary>
    /// <remarks>
    /// C begins when the proxy accepts, and W' ends with the subscription, a handshake h later: the cycle is C + W' - h, and h is a few
    /// thousandths of a cycle of a second.
    /// </remarks>
    /// <param name="every">C, how long a connection lasts.</param>
    public static Expectation AsClosedForm(string arm, TimeSpan every) => new(
        "loss-is-as-closed-form", $"{arm} loses W'/(C + W'), within a quarter", [arm],
        evidence => AgainstClosedForm(evidence.Of(arm), every));

    private static ExpectationAnswer AgainstForecast(ArmEvidence arm)
    {
        if (arm.PredictedLost is not { } predicted)
            return new(null, "the record has no offline windows");
        if (arm.LostOfPredicted is not { } ratio)
            return new(null, "by the windows no loss was expected: no client was offline");
        var others = arm.LostToOtherCauses == 0
            ? ""
            : $", without {arm.LostToOtherCauses} shed or not connected";
        var (low, high) = arm.LostOfPredictedRange;
        return new(
            Math.Abs(ratio - 1) <= Within,
            Invariant($"{arm.Lost} lost{others}, {predicted} predicted: {ratio:0.000} of it, ")
                + Invariant($"in iterations from {low:0.000} to {high:0.000}"));
    }

    private static ExpectationAnswer AgainstClosedForm(ArmEvidence arm, TimeSpan every)
    {
        if (arm.SubscriberAwayMean is not > 0)
            return new(null, "no subscriber was offline, or none came back");
        var expected = LossForecast.OfChurn(every, TimeSpan.FromMilliseconds(arm.SubscriberAwayMean.Value));
        var found = (double)arm.LostToWindows / arm.Buckets.Attempts;
        return new(
            Math.Abs((found / expected) - 1) <= Within,
            Invariant($"{found * 100:0.00} % lost, {expected * 100:0.00} % of the time offline"));
    }
}

/// <summary>Expectations about acknowledged messages. A loss counts only after a proven drain.</summary>
public static class ExpectedGuarantee
{
    /// <summary>
    /// Every acknowledged message arrives, in time or late: guarantee loss is exactly 0. Claimed only if every drain is proven; one loss
    /// after a proven drain refutes it.
    /// </summary>
    public static Expectation Kept(string arm) => new(
        "nothing-acknowledged-is-lost", $"{arm} loses nothing that was acknowledged", [arm], evidence => IsKept(evidence.Of(arm)));

    /// <summary>An arm loses acknowledged messages.</summary>
    /// <param name="inEachIteration">True: at least one in each iteration; false: at least one in total.</param>
    public static Expectation Broken(string arm, bool inEachIteration = false) => new(
        "acknowledged-is-lost", $"{arm} loses messages that were acknowledged{(inEachIteration ? ", in every iteration" : "")}", [arm],
        evidence => IsBroken(evidence.Of(arm), inEachIteration));

    private static ExpectationAnswer IsKept(ArmEvidence arm)
    {
        if (arm.LosingAcknowledged == 0 && arm.NoGuarantee is { } why)
            return new(null, why);
        var found = $"{arm.LostAcknowledged} acknowledged messages lost";
        return new(arm.Buckets.LostAcknowledged == 0, arm.Buckets.DeadLettered == 0
            ? found
            : $"{found}; {arm.Buckets.DeadLettered} are in the dead-letter queue");
    }

    private static ExpectationAnswer IsBroken(ArmEvidence arm, bool inEachIteration)
    {
        var rows = arm.Level.Rows;
        var losing = arm.LosingAcknowledged;
        var isDecided = inEachIteration ? losing < rows.Count - arm.NotDrained : losing > 0;
        if (!isDecided && arm.NoGuarantee is { } why)
            return new(null, why);
        return new(
            inEachIteration ? losing == rows.Count : losing > 0,
            $"{arm.LostAcknowledged} acknowledged messages lost, in {losing} of {rows.Count} iterations");
    }
}

/// <summary>Expected differences between the losses of two arms, compared by their blocks (<see cref="Losses"/>).</summary>
public static class ExpectedDifference
{
    /// <summary>The losses of two arms are equivalent: their difference is shown to be below a margin.</summary>
    /// <param name="first">The arm that is subtracted.</param>
    /// <param name="needsLoss">True: without any loss the mechanism was absent, so that nothing is shown.</param>
    public static Expectation None(string first, string second, bool needsLoss = false) => new(
        "losses-do-not-differ", $"the losses of {first} and {second} differ by less than a percentage point", [first, second],
        evidence => Compare(evidence.Of(first), evidence.Of(second), needsLoss, losses => losses.AreAlike, losses => losses.Differ));

    /// <summary>An arm loses less than another, or more by less than a margin.</summary>
    /// <param name="needsLoss">True: without any loss the mechanism was absent, so that nothing is shown.</param>
    public static Expectation NoMore(string arm, string than, bool needsLoss = false) => new(
        "loses-no-more", $"{arm} loses less than a percentage point more than {than}", [than, arm],
        evidence => Compare(
            evidence.Of(than), evidence.Of(arm), needsLoss, losses => losses.SecondIsNoMore, losses => losses.SecondIsMore));

    private static ExpectationAnswer Compare(
        ArmEvidence first, ArmEvidence second, bool needsLoss, Predicate<Losses> isShown, Predicate<Losses> isRefuted)
    {
        var losses = Losses.From(first, second);
        var nothing = first.Buckets.Lost + second.Buckets.Lost == 0;
        if (nothing && needsLoss)
            return new(null, "no message was late or lost in either arm, so the fault had no effect");
        var found =
            $"{first.Lost} and {second.Lost} lost; "
                + (nothing && losses.P is not null
                    ? ExpectedLoss.NoneIn(Math.Min(first.Level.Rows.Count, second.Level.Rows.Count))
                    : losses.Text);
        return losses.P is null ? ExpectationAnswer.OfTooSmall(found)
            : nothing || isShown(losses) ? new(true, found)
            : isRefuted(losses) ? new(false, found)
            : new(null, $"{found}: neither this nor its opposite is shown");
    }
}

/// <summary>The expected shedding of an arm without a buffer under overload.</summary>
public static class ExpectedShedding
{
    /// <summary>
    /// An arm without a buffer sheds messages that arrive while all places are taken: 1 - capacity/offered of evenly spaced messages,
    /// Erlang's B of random ones. These are nearly even, so the share lies between the two, within <see cref="Losses.Margin"/>.
    /// </summary>
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
        var least = 1 - (places / load);
        var most = ErlangB(places, load);
        double[] shed = [.. rows.Select(row => (double)row.Buckets.Causes.Shed / row.Buckets.Attempts)];
        return new(
            shed.Min() >= least - Losses.Margin && shed.Max() <= most + Losses.Margin,
            Invariant($"from {shed.Min() * 100:0.00} % to {shed.Max() * 100:0.00} % of an iteration shed, ")
                + Invariant($"{least * 100:0.00} % to {most * 100:0.00} % expected"));
    }
}

/// <summary>Expectations about duplicates and wrong messages.</summary>
public static class ExpectedArrivals
{
    /// <summary>
    /// Kills explain the duplicates of every iteration: messages that the server had received and not deleted are delivered again, and a
    /// message that was published again may have been taken before.
    /// </summary>
    /// <param name="received">The most messages that its server has received and not deleted.</param>
    public static Expectation NoMoreTwice(string arm, int received) => new(
        "duplicates-are-bounded",
        Invariant($"in every iteration {arm} delivers at most {received} duplicates for each kill, and one for each message ")
            + "published again",
        [arm], evidence => AreBounded(evidence.Of(arm), received));

    /// <summary>No message arrives changed or without having been sent.</summary>
    public static Expectation AsSent(string arm) => new(
        "everything-is-as-sent", $"{arm} delivers nothing that was changed, and nothing that nobody sent", [arm], evidence =>
        {
            var odd = evidence.Of(arm).Level.Anomalies;
            return new(odd is { Unexpected: 0, Corrupted: 0 }, Invariant($"{odd.Unexpected} unexpected, {odd.Corrupted} corrupted"));
        });

    private static ExpectationAnswer AreBounded(ArmEvidence arm, int received)
    {
        if (arm.Faults.Count == 0)
            return new(null, "the record has no count of kills");
        var rows = arm.Level.Rows.ToDictionary(row => row.Iteration, row => row.Anomalies.Duplicates);
        var iterations = arm.Faults
            .Select(fault => (Twice: (long)rows[fault.Iteration], Most: ((long)fault.FaultActions * received) + fault.Republished))
            .ToArray();
        var (worst, most) = iterations.MaxBy(one => one.Twice - one.Most);
        return new(worst <= most, Invariant($"{iterations.Sum(one => one.Twice)} duplicates, {arm.FaultActions} kills and ")
            + Invariant($"{arm.Faults.Sum(fault => fault.Republished)} messages published again; ")
            + Invariant($"in the iteration nearest to its bound {worst} of at most {most}"));
    }
}
