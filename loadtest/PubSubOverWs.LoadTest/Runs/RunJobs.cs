using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>Makes a job of what the user asked: of a scenario, or of a record that was cut.</summary>
public static class RunJobs
{
    /// <param name="request">Checked by <see cref="RunRules"/>.</param>
    /// <param name="workingFolder">Relative paths start here.</param>
    /// <param name="now">Names the default folder.</param>
    /// <exception cref="RefusalException">The scenario or the record cannot be run; nothing was started.</exception>
    public static RunJob Make(RunRequest request, string workingFolder, DateTimeOffset now) =>
        request.Resume is null
            ? OfScenario(request, workingFolder, now)
            : OfRecord(request, Path.GetFullPath(request.Resume, workingFolder));

    private static RunJob OfScenario(RunRequest request, string workingFolder, DateTimeOffset now)
    {
        var scenario = request.Changes.ApplyTo(ScenarioFiles.Load(request.Scenario!));
        // Servers that the run did not start cannot be started afresh.
        scenario = request.OwnServersOnly ? scenario : scenario with { Blocks = 1 };
        RunRules.Check(request, scenario);
        var order = RunPlan.For(scenario);
        return new RunJob
        {
            Request = request,
            Scenario = scenario,
            Folder = OutputFolder.Choose(request, scenario.Name, workingFolder, now),
            Order = order,
            Turns = Trial.Of(scenario, order),
        };
    }

    private static RunJob OfRecord(RunRequest request, string folder)
    {
        // What was cut is taken away when the run goes on; until all is known that may refuse it, the folder stays as it is.
        var record = RecordReader.ReadInterrupted(folder);
        var run = record.Run;
        var resumed = ResumedPlan.Of(run.Order, record.Rows);
        if (run.Complete)
            throw new RefusalException($"The run in {folder} is complete: there is nothing to resume.");
        if (run.IsVersion1)
            throw new RefusalException(
                $"The run in {folder} is of record version {run.Record}, which this program reads and does not write: resume it with the "
                    + $"program that made it (commit {run.Machine.Commit ?? "unknown"}), or start a new run.");
        var job = new RunJob
        {
            Request = request,
            Scenario = run.Scenario with { Gates = [.. run.Scenario.Gates, .. request.Changes.Gates] },
            Folder = folder,
            Order = resumed.Whole,
            Turns = Trial.Of(run.Scenario, resumed.Remaining, record.Rows.Select(row => row.Order).DefaultIfEmpty(0).Max()),
            Before = run,
            Recorded = [.. record.Rows.Where(row => !row.Superseded && !resumed.Blocks.Contains(row.Block))],
            Superseded = resumed.Blocks,
        };
        // A run that was killed after its last row only lacks its end: nothing more is measured, so nothing can be measured otherwise.
        if (job.Turns.Count > 0)
            ResumeRules.Check(job, record);
        return job;
    }
}
