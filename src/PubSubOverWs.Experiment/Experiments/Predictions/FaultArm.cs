namespace PubSubOverWs.Experiment.Experiments.Predictions;

/// <summary>What a fault did to one arm at one level. Shares are from 0 to 1; null: there is none.</summary>
public sealed record FaultArm
{
    public required string Arm { get; init; }

    public required int Iterations { get; init; }

    public required long Attempts { get; init; }

    public required long Acknowledged { get; init; }

    public required long Lost { get; init; }

    public required double? EndToEndLoss { get; init; }

    /// <summary>What an arm that stores nothing should have lost, by the measured windows.</summary>
    public required long? PredictedLost { get; init; }

    /// <summary>Lost of predicted: 1 where they agree.</summary>
    public required double? LostOfPredicted { get; init; }

    /// <summary>Under churn: W'/(C + W') with the measured mean window.</summary>
    public required double? ClosedForm { get; init; }

    public required long LostAcknowledged { get; init; }

    public required double? GuaranteeLoss { get; init; }

    /// <summary>Iterations after which the queue was not shown to be empty: the guarantee loss is claimed only where it is 0.</summary>
    public required int NotDrained { get; init; }

    public required long SubscriberWindows { get; init; }

    /// <summary>The offline window W', from the loss of the connection until it was subscribed again.</summary>
    public required double? SubscriberAwayMeanMs { get; init; }

    public required double? SubscriberAwayMaxMs { get; init; }

    public required long PublisherWindows { get; init; }

    public required double? PublisherAwayMeanMs { get; init; }

    public required long NeverBack { get; init; }

    public required long Deeds { get; init; }

    public required long Republished { get; init; }

    /// <summary>Copies that receivers dropped by their id.</summary>
    public required long Duplicates { get; init; }

    /// <summary>Such as <c>refused 12: connect-refused 12</c>; empty: all was delivered.</summary>
    public required string Causes { get; init; }
}
