namespace PubSubOverWs.Record.Relay;

/// <summary>The arms that relay messages, named as in scenarios, files and gates.</summary>
public static class Relays
{
    public const string Direct = "direct";

    public const string PubSub = "pubsub";

    /// <summary>How many publishes may share an SQS message of a pubsub server.</summary>
    public const string PackSetting = "Queue:Sending:Pack";

    /// <summary>The server's default of that.</summary>
    public const int Pack = 50;

    /// <summary>A direct server that buffers undeliverable messages in memory: isolates buffering from the broker.</summary>
    public const string Buffered = "direct+buffer";

    /// <summary>A direct server with the lean front end: isolates what the web server costs.</summary>
    public static Arm Lean { get; } = new("direct+lean", Target: Direct) { About = "a direct server with the lean front end" };

    /// <summary>The same of a pubsub server.</summary>
    public static Arm LeanPubSub { get; } = new("pubsub+lean", Target: PubSub, HasQueue: true)
    { About = "a pubsub server with the lean front end" };

    /// <summary>A pubsub server whose publishes share no SQS message, as in the paper: isolates what packing gives.</summary>
    public static Arm Unpacked { get; } = new("pubsub+single", Target: PubSub, HasQueue: true)
    { About = "a pubsub server that puts each message into an SQS message of its own" };

    /// <summary>Those of most experiments.</summary>
    public static IReadOnlyList<Arm> All { get; } =
    [
        new(Direct, Target: Direct),
        new(Buffered, Target: Direct) { About = "a direct server that keeps in memory what cannot be delivered yet" },
        new(PubSub, Target: PubSub, HasQueue: true),
    ];

    public static Contrast Contrast { get; } = new(Direct, PubSub);

    /// <exception cref="ArgumentException">There is none of a name.</exception>
    public static IReadOnlyList<Arm> Named(params IEnumerable<string> names) =>
        [.. names.Select(name => Find(name) ?? throw new ArgumentException($"There is no arm '{name}'.", nameof(names)))];

    /// <summary>The arm of this name, or an instance of one; null: there is none.</summary>
    public static Arm? Find(string name) =>
        All.Concat(AgainstItself(Direct)).Concat(AgainstItself(PubSub)).FirstOrDefault(arm => arm.Name == name);

    /// <summary>
    /// Settings of the servers of an arm in every experiment: the server's defaults, and what the arm's name says. Always set, so that the
    /// environment does not decide what an arm measures, and the record has it.
    /// </summary>
    public static IEnumerable<KeyValuePair<string, string>> SettingsOf(Arm arm) =>
        arm.HasQueue ? [new(PackSetting, arm.Name == Unpacked.Name ? "1" : $"{Pack}")] : [];

    /// <param name="server"><see cref="Direct"/> or <see cref="PubSub"/>.</param>
    public static IReadOnlyList<Arm> AgainstItself(string server) => All.Single(one => one.Name == server).Instances;
}
