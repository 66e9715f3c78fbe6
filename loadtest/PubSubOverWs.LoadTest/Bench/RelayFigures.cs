using PubSubOverWs.Experiment.Statistics;
using PubSubOverWs.LoadTest.Targets.Relay;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Legs of the direct server and of the echo, in the order in which they ran.</summary>
/// <param name="SendBytes">Octets of a SEND frame.</param>
/// <param name="MessageBytes">Octets of a MESSAGE frame; null: the direct server did not run.</param>
/// <param name="EchoBytes">Octets of the frames that the echo moved, each way.</param>
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
