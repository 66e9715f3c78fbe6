namespace PubSubOverWs.Record.Files;

/// <summary>The prediction for a run under a fault, in the words of the program that started it.</summary>
/// <param name="Text">The prediction.</param>
/// <param name="Expectations">Its lines, by which it was to be judged.</param>
public sealed record RegisteredPrediction(string Text, IReadOnlyList<string> Expectations)
{
    /// <summary>How the judged prediction differs from it; null: not at all.</summary>
    public string? DiffersFrom(RegisteredPrediction now)
    {
        string[] added = [.. now.Expectations.Except(Expectations)], gone = [.. Expectations.Except(now.Expectations)];
        return (added.Length, gone.Length) switch
        {
            (0, 0) => now.Text == Text ? null : "The program that makes this report has a different text, and the same lines.",
            _ =>
                "The program that makes this report judges differently: "
                    + $"{string.Join("; ", gone.Select(line => $"not by \"{line}\"").Concat(added.Select(line => $"by \"{line}\"")))}.",
        };
    }
}
