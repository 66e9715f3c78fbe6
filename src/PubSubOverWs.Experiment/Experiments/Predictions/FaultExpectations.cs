using PubSubOverWs.Experiment.Experiments.Faults;
using PubSubOverWs.Experiment.Experiments.OneWay;
using PubSubOverWs.Experiment.Experiments.Relay;

namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>The predictions of faults as code: all lines must hold.</summary>
public static class FaultExpectations
{
    /// <summary>Of its fault; with kills and a bound on messages in flight also that pubsub delivers all, with few duplicates.</summary>
    /// <exception cref="ArgumentException">The fault has no prediction.</exception>
    public static IReadOnlyList<Expectation> Of(RelayScenario scenario) => scenario is { Fault: RestartFault, MaxInFlight: { } received }
        ? [.. Of(scenario.Fault), ExpectedLoss.None(Arms.PubSub), ExpectedArrivals.NoMoreTwice(Arms.PubSub, received),
            ExpectedArrivals.AsSent(Arms.PubSub)]
        : Of(scenario.Fault);

    /// <exception cref="ArgumentException">The fault has no prediction.</exception>
    public static IReadOnlyList<Expectation> Of(Fault fault) => fault switch
    {
        NoFault => [ExpectedLoss.None(Arms.Direct), ExpectedLoss.None(Arms.PubSub)],
        ChurnFault churn =>
        [
            ExpectedLoss.AsForecast(Arms.Direct), ExpectedLoss.AsClosedForm(Arms.Direct, churn.Every), ExpectedGuarantee.Kept(Arms.PubSub),
            ExpectedGuarantee.Kept(Arms.Buffered) with { OnlyWhereRun = true }, ExpectedOutage.AlikeIn(Arms.Direct, Arms.PubSub),
        ],
        RestartFault =>
            [ExpectedLoss.AsForecast(Arms.Direct), ExpectedGuarantee.Kept(Arms.PubSub), ExpectedOutage.AlikeIn(Arms.Direct, Arms.PubSub)],
        OverloadFault overload =>
        [
            ExpectedShedding.OfLossSystem(Arms.Direct, overload.AtATime, overload.Cost),
            ExpectedDifference.None(Arms.Buffered, Arms.PubSub), ExpectedGuarantee.Kept(Arms.PubSub),
        ],
        OverloadRestartFault =>
        [
            ExpectedGuarantee.Broken(Arms.Buffered, inEachIteration: true), ExpectedGuarantee.Kept(Arms.PubSub),
            ExpectedOutage.AlikeIn(Arms.Buffered, Arms.PubSub),
        ],
        SmallHostFault => [ExpectedDifference.None(Arms.Direct, Arms.PubSub)],
        ConnectStormFault => [ExpectedDifference.NoMore(Arms.Direct, than: Arms.PubSub, needsLoss: true)],
        BadNetworkFault =>
        [
            ExpectedOutage.OfSubscribers(Arms.Direct), ExpectedOutage.OfSubscribers(Arms.PubSub), ExpectedGuarantee.Broken(Arms.Direct),
            ExpectedGuarantee.Kept(Arms.PubSub), ExpectedOutage.AlikeIn(Arms.Direct, Arms.PubSub),
        ],
        QueueDownFault queue =>
            [ExpectedLoss.None(Arms.Direct), ExpectedGuarantee.Kept(Arms.PubSub), ExpectedOutage.OfQueue(Arms.PubSub, queue.For)],
        QueueKilledFault => [ExpectedLoss.None(Arms.Direct), ExpectedGuarantee.Broken(Arms.PubSub)],
        SlowConsumerFault => [ExpectedDifference.None(Arms.Direct, Arms.PubSub, needsLoss: true)],
        _ => throw new ArgumentException($"Nothing is predicted of the fault {fault.Profile}: write it here first.", nameof(fault)),
    };

    /// <summary>The prediction that a record of this scenario keeps; null: it has no fault to demonstrate.</summary>
    public static RegisteredPrediction? Registered(Scenario scenario) =>
        scenario is OneWayScenario { Disturbance: not null, IsAgainstItself: false } oneWay ? Registered(oneWay) : null;

    public static RegisteredPrediction Registered(RelayScenario scenario) =>
        new(scenario.Fault.Prediction, [.. Of(scenario).Select(line => line.Text)]);
}
