using PubSubOverWs.Report.Gates;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Reports gates and claims: on the terminal, in a JUnit file if requested, and to GitHub Actions if run there.</summary>
public static class GateOutputs
{
    private const string SummaryFile = "GITHUB_STEP_SUMMARY";
    private const string OnActions = "GITHUB_ACTIONS";

    /// <param name="invalid">Validity checks that failed.</param>
    /// <param name="claims">Claims from before the run, with their verdicts.</param>
    /// <param name="junit">The JUnit file; null: none was requested.</param>
    /// <exception cref="RefusalException">The file cannot be written.</exception>
    public static async Task WriteAsync(
        string scenario, IReadOnlyList<string> invalid, IReadOnlyList<GateResult> results, IReadOnlyList<ClaimResult> claims, string? junit,
        Terminal terminal, CancellationToken cancellationToken)
    {
        foreach (var result in results)
            await terminal.WriteAsync("gate", result.Sentence, result.Passed ? Tone.Good : Tone.Bad);
        foreach (var claim in claims)
            await terminal.WriteAsync(
                claim.Fails ? "FAILED" : "claim", $"{(claim.Fails ? "required claim " : "")}{claim.Sentence}",
                claim.Fails ? Tone.Bad : Tone.Plain);
        if (junit is not null)
            await TryAsync("--junit", junit, () =>
                File.WriteAllTextAsync(junit, GateJUnit.Write(scenario, invalid, results, claims), cancellationToken));
        if (terminal.Variable(SummaryFile) is { Length: > 0 } summary)
            await TryAsync(SummaryFile, summary, () =>
                File.AppendAllTextAsync(summary, GateSummary.Markdown(scenario, invalid, results, claims), cancellationToken));
        if (terminal.Variable(OnActions) != "true")
            return;
        foreach (var line in GateSummary.Annotations(invalid, results, claims))
            await terminal.Output.WriteLineAsync(line);
    }

    private static async Task TryAsync(string name, string path, Func<Task> write)
    {
        try
        {
            await write();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException(
                $"{name} '{path}' cannot be written ({error.Message.TrimEnd('.')}): name a file in a folder that exists. "
                    + "The report was made.");
        }
    }
}
