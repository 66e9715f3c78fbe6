using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Faults;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.Experiment.Predictions;

/// <summary>The predictions of faults as code: all lines of one must hold.</summary>
public static class FaultExpectations
{
    /// <exception cref="ArgumentException">Nothing is predicted of such a fault.</exception>
    public static IReadOnlyList<Expectation> Of(Fault fault) => fault switch
    {
        NoFault => [ExpectedLoss.None(Arms.Direct), ExpectedLoss.None(Arms.PubSub)],
        ChurnFault churn =>
        [
            ExpectedLoss.AsForecast(Arms.Direct), ExpectedLoss.AsClosedForm(Arms.Direct, churn.Every), ExpectedGuarantee.Kept(Arms.PubSub),
            ExpectedGuarantee.Kept(Arms.Buffered) with { OnlyWhereRun = true }, ExpectedOutage.AlikeIn(Arms.Direct, Arms.PubSub),
        ],
        RestartFault =>
        [
            ExpectedLoss.AsForecast(Arms.Direct), ExpectedGuarantee.Kept(Arms.PubSub), ExpectedOutage.AlikeIn(Arms.Direct, Arms.PubSub),
        ],
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

    /// <summary>The prediction as a record keeps it.</summary>
    public static RegisteredPrediction Registered(Fault fault) => new(fault.Prediction, [.. Of(fault).Select(line => line.Text)]);
}
