namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>The command that a user is likely to need after a run.</summary>
public static class NextStep
{
    /// <returns>The whole line, and in brackets what it is for.</returns>
    /// <param name="folder">Of the record, as the user names it.</param>
    /// <param name="request">The run that has ended; null: the record is all that is known.</param>
    public static string Text(string folder, RunFolder record, RunRequest? request) =>
        $"{ThisProgram.Name} {WordsOf(folder, record, request)}";

    private static string WordsOf(string folder, RunFolder record, RunRequest? request)
    {
        var run = record.Run;
        var scenario = record.Run.Scenario;
        var name = request?.Scenario ?? scenario.Name;
        if (!run.Complete)
            return $"run --resume {folder}   (measures what is missing)";
        if (!Validity.IsValid(record))
            return $"doctor {name}   (what this machine lacks for it)";
        if (request?.Changes is { Quick: true } changes)
            return $"run {name}{string.Concat(changes.Settings.Select(setting => $" --set {setting}"))}   (the whole scenario)";
        return record.Noise is null && scenario is { IsAgainstItself: false, Disturbance: null } && scenario.Kind == ScenarioKinds.First
            && scenario.Iterations >= Decision.LeastCount
            ? $"run {name} --aa {scenario.Arms[0].Target}   (its noise floor, then: report {folder} --noise A/A-DIR)"
            : $"open{(request is { Out: null, Resume: null } ? "" : $" {folder}")}   (the report, in the browser)";
    }
}
