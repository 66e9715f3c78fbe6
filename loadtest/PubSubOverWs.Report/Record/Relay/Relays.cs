namespace PubSubOverWs.Record.Relay;

/// <summary>The arms that relay messages, named as in scenarios, files and gates.</summary>
public static class Relays
{
    public const string Direct = "direct";

    public const string PubSub = "pubsub";

    /// <summary>How many publishes may share an SQS message of a pubsub server.</summary>
    public const string PackSetting = "Sqs:Sending:Pack";

    /// <summary>A direct server that buffers undeliverable messages in memory: isolates buffering from the broker.</summary>
    public const string Buffered = "direct+buffer";

    /// <summary>A direct server with the lean front end: isolates what the web server costs.</summary>
    public static Arm Lean { get; } = new("direct+lean", Target: Direct) { About = "a direct server with the lean front end" };

    /// <summary>The same of a pubsub server.</summary>
    public static Arm LeanPubSub { get; } = new("pubsub+lean", Target: PubSub, HasQueue: true)
    { About = "a pubsub server with the lean front end" };

    /// <summary>A pubsub server as it is by default: isolates what an SQS message for each publish costs.</summary>
    public static Arm Packed { get; } = new("pubsub+packed", Target: PubSub, HasQueue: true)
    { About = "a pubsub server that puts into one SQS message what comes while a call is under way" };

    /// <summary>Those of most experiments.</summary>
    public static IReadOnlyList<Arm> All { get; } =
    [
        new(Direct, Target: Direct),
        new(Buffered, Target: Direct) { About = "a direct server that keeps in memory what cannot be delivered yet" },
        new(PubSub, Target: PubSub, HasQueue: true),
    ];

    /// <summary>Pubsub compared with direct.</summary>
    public static Contrast Contrast { get; } = new(Direct, PubSub);

    /// <summary>Arms by name.</summary>
    /// <exception cref="ArgumentException">There is none of a name.</exception>
    public static IReadOnlyList<Arm> Of(params IEnumerable<string> names) =>
        [.. names.Select(name => Find(name) ?? throw new ArgumentException($"There is no arm '{name}'.", nameof(names)))];

    /// <summary>The arm of this name, or an instance of one; null: there is none.</summary>
    public static Arm? Find(string name) =>
        All.Concat(AgainstItself(Direct)).Concat(AgainstItself(PubSub)).FirstOrDefault(arm => arm.Name == name);

    /// <summary>
    /// Settings of the servers of an arm in every experiment: each publish is an SQS message of its own, as in the paper and in records
    /// that do not have the setting; <see cref="Packed"/> has the server's default. Always set, so that a new default does not change what
    /// an arm measures.
    /// </summary>
    public static IEnumerable<KeyValuePair<string, string>> SettingsOf(Arm arm) =>
        arm.HasQueue ? [new(PackSetting, arm.Name == Packed.Name ? "50" : "1")] : [];

    /// <summary>The arms of an A/A run.</summary>
    /// <param name="server"><see cref="Direct"/> or <see cref="PubSub"/>.</param>
    public static IReadOnlyList<Arm> AgainstItself(string server) => All.Single(one => one.Name == server).Instances;
}
