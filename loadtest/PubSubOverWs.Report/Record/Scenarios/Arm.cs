namespace PubSubOverWs.Record.Scenarios;

/// <summary>One of what an experiment compares.</summary>
/// <param name="Name">As in scenarios, files, gates and reports.</param>
/// <param name="Target">The kind of system under test that it is.</param>
/// <param name="HasQueue">True: messages go through a queue, which is shown to be empty after each trial.</param>
/// <param name="Instance">Distinguishes two instances of one target in an A/A run, such as <c>-a</c>; empty if there is one.</param>
public sealed record Arm(string Name, string Target, bool HasQueue = false, string Instance = "")
{
    /// <summary>Not an arm that is compared: a null echo, the floor of what the set-up can resolve.</summary>
    public static Arm Floor { get; } = new("floor", "null-echo");

    /// <summary>The target of servers that are no part of the program: an arm for each, by any name, at an address.</summary>
    public const string Elsewhere = "external";

    /// <summary>True: a server that is no part of the program, and that no run starts.</summary>
    [JsonIgnore]
    public bool IsElsewhere => Target == Elsewhere;

    /// <summary>Two separately started instances of it, such as <c>direct-a</c> and <c>direct-b</c>: the arms of an A/A run.</summary>
    [JsonIgnore]
    public IReadOnlyList<Arm> Instances => [Of("-a"), Of("-b")];

    /// <summary>How it differs from its target as it is by default, in half a sentence; empty: not at all.</summary>
    public string About { get; init; } = "";

    public override string ToString() => Name;

    private Arm Of(string instance) => this with { Name = Name + instance, Instance = instance };
}

/// <summary>A comparison of two arms, by name.</summary>
/// <param name="First">The reference.</param>
/// <param name="Second">Compared with it: differences are second - first, ratios second/first.</param>
public sealed record Contrast(string First, string Second)
{
    /// <summary>Such as <c>pubsub against direct</c>.</summary>
    public override string ToString() => $"{Second} against {First}";
}
