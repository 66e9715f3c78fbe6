using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Fuzz.Framing;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>All that is fuzzed.</summary>
internal static class FuzzTargets
{
    public const string Frames = "frames";
    public const string Connections = "connections";
    public const string Requests = "requests";

    public static readonly string[] Names =
    [
        ReaderTarget.Id, SessionTarget.Id, FramingTarget.Id, FramingTarget.LeanId, HandshakeTarget.Id, LocalSqsTarget.Id, AnswersTarget.Id,
    ];

    public static async Task<IFuzzTarget> CreateAsync(string name) => name switch
    {
        ReaderTarget.Id => new ReaderTarget(),
        SessionTarget.Id => new SessionTarget(),
        FramingTarget.Id => await FramingTarget.StartAsync(FrontEnd.Framework),
        FramingTarget.LeanId => await FramingTarget.StartAsync(FrontEnd.Lean),
        HandshakeTarget.Id => await HandshakeTarget.StartAsync(),
        LocalSqsTarget.Id => new LocalSqsTarget(),
        AnswersTarget.Id => new AnswersTarget(),
        _ => throw new ArgumentOutOfRangeException(nameof(name), name, "There is no such target."),
    };
}

/// <summary>A part of the system that takes what comes from outside, under input that chance made.</summary>
internal interface IFuzzTarget : IAsyncDisposable
{
    string Name { get; }

    /// <summary>The unit that is counted: frames, connections or requests.</summary>
    string Unit { get; }

    /// <summary>One step: it depends on <paramref name="draw"/> alone, and fails when the target does what it must not.</summary>
    /// <returns>How many units it took.</returns>
    Task<int> StepAsync(Draw draw);
}
