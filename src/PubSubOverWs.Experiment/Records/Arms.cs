namespace PubSubOverWs.Experiment.Records;

/// <summary>The names of the arms, as they stand in scenarios, files and gates.</summary>
public static class Arms
{
    public const string Direct = "direct";

    public const string PubSub = "pubsub";

    /// <summary>Not an arm that is compared: a null echo, the floor of what the set-up can resolve.</summary>
    public const string Floor = "floor";
}
