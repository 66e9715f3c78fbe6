using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// The figures of one saturating leg, from after its warm-up to its end. CPU is user and kernel time of the whole process.
/// </summary>
/// <param name="Server">The server under load: direct, pubsub or null-echo.</param>
/// <param name="Messages">That came back to their sender.</param>
/// <param name="Seconds">That were measured.</param>
/// <param name="ServerCpuSeconds">Of the server.</param>
/// <param name="QueueCpuSeconds">Of the queue; null: there was none.</param>
/// <param name="LoadCpuSeconds">Of this process.</param>
/// <param name="Missing">Messages that did not come back after the load had stopped.</param>
public sealed record Leg(
    string Server, long Messages, double Seconds, double ServerCpuSeconds, double? QueueCpuSeconds, double LoadCpuSeconds, int Missing)
{
    public double MessagesPerSecond => Messages / Seconds;

    public double ServerMicroseconds => 1e6 * ServerCpuSeconds / Messages;

    public double? QueueMicroseconds => 1e6 * QueueCpuSeconds / Messages;

    public double LoadMicroseconds => 1e6 * LoadCpuSeconds / Messages;
}

/// <summary>The load of a leg.</summary>
/// <param name="Connections">Each has a destination of its own.</param>
/// <param name="Depth">Messages that each keeps under way.</param>
/// <param name="BodyBytes">Bytes of a body.</param>
/// <param name="Dialect">Makes what one connection speaks.</param>
internal sealed record LoadShape(int Connections, int Depth, int BodyBytes, Func<IDialect> Dialect)
{
    public Writes Writes { get; init; } = Writes.AsCame;

    /// <summary>Of every message.</summary>
    public byte[] Body { get; init; } = [.. Enumerable.Repeat((byte)'x', BodyBytes)];
}

/// <summary>How a client under load sends its next messages.</summary>
internal enum Writes
{
    /// <summary>As many as came back, in one write.</summary>
    AsCame,

    /// <summary>As many as came back, each in a write of its own.</summary>
    Single,

    /// <summary>All that it keeps under way in one write, when the last of them has come back.</summary>
    Together,
}

/// <summary>Legs of the direct server and of the echo, in the order in which they ran.</summary>
/// <param name="SendBytes">Bytes of a SEND frame.</param>
/// <param name="MessageBytes">Bytes of a MESSAGE frame; null: the direct server did not run.</param>
/// <param name="EchoBytes">Bytes of the frames that the echo moved, each way.</param>
/// <param name="Legs">Without the warm-ups.</param>
public sealed record RelayFigures(int SendBytes, int? MessageBytes, int EchoBytes, IReadOnlyList<Leg> Legs)
{
    /// <summary>Server CPU per message, direct over echo, pair by pair.</summary>
    public IReadOnlyList<double> Ratios =>
        [.. Of(DirectTarget.Kind).Zip(Of("null-echo"), (direct, echo) => direct.ServerMicroseconds / echo.ServerMicroseconds)];

    /// <summary>Null: there was no pair.</summary>
    public double? MedianRatio => Median.Of(Ratios.Cast<double?>());

    private IEnumerable<Leg> Of(string server) => Legs.Where(leg => leg.Server == server);
}
