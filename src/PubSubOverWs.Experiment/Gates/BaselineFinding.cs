namespace PubSubOverWs.Experiment.Gates;

/// <summary>What a gate that names a baseline came to at one level.</summary>
/// <param name="Outcome">At this level.</param>
/// <param name="Found">Half a sentence with the figures, or with what is missing.</param>
/// <param name="Reason">Why it is undecided, before what was found; null: what was found says it.</param>
internal readonly record struct BaselineFinding(GateOutcome Outcome, string Found, string? Reason = null)
{
    /// <summary>Undecided for a reason that more blocks and iterations mend.</summary>
    public static BaselineFinding TooFew(string found) => new(GateOutcome.Undecided, found, "there are too few repetitions to tell");
}
