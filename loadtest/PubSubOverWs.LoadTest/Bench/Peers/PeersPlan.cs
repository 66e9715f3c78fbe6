namespace PubSubOverWs.LoadTest.Bench.Peers;

/// <summary>The rows of <c>bench peers</c>, their size and their length.</summary>
internal sealed record PeersPlan
{
    /// <summary>Ids of <see cref="PeerRow"/>, in their order there.</summary>
    public IReadOnlyList<string> Rows { get; init; } = [.. PeerRow.All.Select(row => row.Id)];

    /// <summary>Legs of each server.</summary>
    public int Pairs { get; init; } = 10;

    /// <summary>How long one leg is measured, after its warm-up.</summary>
    public TimeSpan Leg { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Load before the first leg of a process: its first seconds are the compiler's.</summary>
    public TimeSpan WarmUp { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Connections of rows on CPU, and of pubsub.</summary>
    public int Connections { get; init; } = 100;

    /// <summary>Messages that each of them keeps under way.</summary>
    public int Depth { get; init; } = 8;

    /// <summary>Bytes of a message's body.</summary>
    public int PayloadBytes { get; init; } = 100;

    /// <summary>Connections that do nothing, and that are opened.</summary>
    public int IdleConnections { get; init; } = 9_900;

    /// <summary>
    /// How long the CPU time of idle connections is measured: by default two minutes, in which ours send each client two PINGs, and
    /// the others one or none.
    /// </summary>
    public TimeSpan Idle { get; init; } = TimeSpan.FromMinutes(2);

    /// <summary>Before memory is read: time for the server to give back what the handshakes took.</summary>
    public TimeSpan Rest { get; init; } = TimeSpan.FromSeconds(3);

    public int Subscribers { get; init; } = 1_000;

    /// <summary>How long one rate of the fan-out is tried.</summary>
    public TimeSpan Step { get; init; } = TimeSpan.FromSeconds(2);

    /// <summary>Where the figures go as JSON; null: nowhere.</summary>
    [JsonIgnore]
    public string? Out { get; init; }

    /// <summary>Where the table goes as Markdown; null: nowhere.</summary>
    [JsonIgnore]
    public string? Markdown { get; init; }

    /// <summary>One pair of everything, in about three minutes: too short for figures that anyone may believe.</summary>
    public static PeersPlan Quick { get; } = new()
    {
        Pairs = 1,
        Leg = TimeSpan.FromSeconds(1),
        WarmUp = TimeSpan.FromSeconds(2),
        IdleConnections = 2_000,
        Idle = TimeSpan.FromSeconds(2),
        Rest = TimeSpan.FromSeconds(1),
        Step = TimeSpan.FromSeconds(0.5),
    };

    /// <summary>With TLS, and with a user, who logs in: of <see cref="SecureRows"/> and of servers that have both.</summary>
    public bool Secure { get; init; }

    /// <summary>Rows that can be measured with TLS.</summary>
    public static IReadOnlyList<string> SecureRows { get; } = [PeerRow.Cpu.Id, PeerRow.CpuTogether.Id];

    public bool Has(PeerRow row) => Rows.Contains(row.Id);

    /// <summary>The plan of the parts that other benches have, too.</summary>
    /// <param name="frontEnd">framework or lean.</param>
    /// <param name="pack">Publishes that the pubsub server may put into one SQS message.</param>
    public static BenchPlan Of(string frontEnd, int pack = 1) => new() { FrontEnd = frontEnd, Pack = pack };
}
