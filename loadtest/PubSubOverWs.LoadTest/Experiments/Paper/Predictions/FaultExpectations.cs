using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Predictions;

/// <summary>The predictions of faults as code: all lines must hold.</summary>
public static class FaultExpectations
{
    /// <summary>Of its fault; with kills and a bound on messages in flight also that pubsub delivers all, with few duplicates.</summary>
    /// <exception cref="ArgumentException">The fault has no prediction.</exception>
    public static IReadOnlyList<Expectation> Of(OneWayScenario scenario) => scenario is { Fault: RestartFault, MaxInFlight: { } received }
        ? [.. Of(scenario.Fault), ExpectedLoss.None(Relays.PubSub), ExpectedArrivals.NoMoreTwice(Relays.PubSub, received),
            ExpectedArrivals.AsSent(Relays.PubSub)]
        : Of(scenario.Fault);

    /// <exception cref="ArgumentException">The fault has no prediction.</exception>
    public static IReadOnlyList<Expectation> Of(Fault fault) => fault switch
    {
        NoFault => [ExpectedLoss.None(Relays.Direct), ExpectedLoss.None(Relays.PubSub)],
        ChurnFault churn =>
        [
            ExpectedLoss.AsForecast(Relays.Direct), ExpectedLoss.AsClosedForm(Relays.Direct, churn.Every),
                ExpectedGuarantee.Kept(Relays.PubSub),
            ExpectedGuarantee.Kept(Relays.Buffered) with { OnlyWhereRun = true }, ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub),
        ],
        RestartFault =>
            [ExpectedLoss.AsForecast(Relays.Direct), ExpectedGuarantee.Kept(Relays.PubSub),
                ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub)],
        OverloadFault overload =>
        [
            ExpectedShedding.OfLossSystem(Relays.Direct, overload.AtATime, overload.Cost),
            ExpectedDifference.None(Relays.Buffered, Relays.PubSub), ExpectedGuarantee.Kept(Relays.PubSub),
        ],
        OverloadRestartFault =>
        [
            ExpectedGuarantee.Broken(Relays.Buffered, inEachIteration: true), ExpectedGuarantee.Kept(Relays.PubSub),
            ExpectedOutage.AlikeIn(Relays.Buffered, Relays.PubSub),
        ],
        SmallHostFault => [ExpectedDifference.None(Relays.Direct, Relays.PubSub)],
        ConnectStormFault => [ExpectedDifference.NoMore(Relays.Direct, than: Relays.PubSub, needsLoss: true)],
        BadNetworkFault =>
        [
            ExpectedOutage.OfSubscribers(Relays.Direct), ExpectedOutage.OfSubscribers(Relays.PubSub),
                ExpectedGuarantee.Broken(Relays.Direct),
            ExpectedGuarantee.Kept(Relays.PubSub), ExpectedOutage.AlikeIn(Relays.Direct, Relays.PubSub),
        ],
        QueueDownFault queue =>
            [ExpectedLoss.None(Relays.Direct), ExpectedGuarantee.Kept(Relays.PubSub), ExpectedOutage.OfQueue(Relays.PubSub, queue.For)],
        QueueKilledFault => [ExpectedLoss.None(Relays.Direct), ExpectedGuarantee.Broken(Relays.PubSub)],
        SlowConsumerFault => [ExpectedDifference.None(Relays.Direct, Relays.PubSub, needsLoss: true)],
        _ => throw new ArgumentException($"Nothing is predicted of the fault {fault.Profile}: write it here first.", nameof(fault)),
    };

    /// <summary>The prediction that a record of this scenario keeps; null: it has no fault to demonstrate.</summary>
    public static RegisteredPrediction? Registered(Scenario scenario) =>
        scenario is OneWayScenario { Disturbance: not null, IsAgainstItself: false } oneWay ? Registered(oneWay) : null;

    public static RegisteredPrediction Registered(OneWayScenario scenario) =>
        new(scenario.Fault.Prediction, [.. Of(scenario).Select(line => line.Text)]);
}
