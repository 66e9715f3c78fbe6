namespace PubSubOverWs.Tests.Fuzz;

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
