namespace PubSubOverWs.LoadTest.Bench;

/// <summary>The figures of a bench as they stand in its JSON; what was not measured is null.</summary>
public sealed record BenchReport
{
    /// <summary>When the bench began.</summary>
    public DateTimeOffset Started { get; init; }

    /// <summary>The commit that this program was built from; null: not known.</summary>
    public string? Commit { get; init; }

    public int Cores { get; init; }

    public string Runtime { get; init; } = "";

    /// <summary>The plan, with the defaults of options that were not given.</summary>
    public BenchPlan? Plan { get; init; }

    public RelayFigures? Relay { get; init; }

    public Leg? PubSub { get; init; }

    public QueueFigures? Queue { get; init; }

    public IdleFigures? Idle { get; init; }

    public IReadOnlyList<MisbehavingFigures>? Misbehaving { get; init; }

    /// <summary>True: every figure with a bar is within it, or was not measured.</summary>
    [JsonIgnore]
    public bool Holds => Misbehaving?.All(server => server.Holds) != false;
}
