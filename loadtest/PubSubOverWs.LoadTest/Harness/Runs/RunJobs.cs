namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Builds the job that the user asked for, from a scenario or from an interrupted record.</summary>
public static class RunJobs
{
    /// <exception cref="RefusalException">The scenario or the record cannot be run; nothing was started.</exception>
    public static RunJob Make(RunRequest request, string workingFolder, DateTimeOffset now)
    {
        var job = request.Resume is null
            ? OfScenario(request, workingFolder, now)
            : OfRecord(request, Path.GetFullPath(request.Resume, workingFolder));
        GateRules.Check(job);
        return job;
    }

    private static RunJob OfScenario(RunRequest request, string workingFolder, DateTimeOffset now)
    {
        var scenario = request.Changes.ApplyTo(ScenarioFiles.Load(request.Scenario!));
        // Servers that the run did not start cannot be restarted for another block.
        scenario = request.OwnServersOnly ? scenario : scenario with { Blocks = 1 };
        // Load processes elsewhere cannot reach the null echo, which the run starts.
        scenario = request.Join is null || request.OwnServersOnly ? scenario : scenario with { Floor = false };
        RunRules.Check(request, scenario);
        var order = RunPlan.For(scenario);
        return new RunJob
        {
            Request = request,
            Scenario = scenario,
            Folder = OutputFolder.Choose(request, scenario.Name, workingFolder, now),
            Order = order,
            Trials = Trial.From(scenario, order),
        };
    }

    private static RunJob OfRecord(RunRequest request, string folder)
    {
        // Rows of the interrupted block are removed only when the run continues: a refused resume leaves the folder unchanged.
        var record = RecordReader.ReadInterrupted(folder);
        var run = record.Run;
        var resumed = ResumedPlan.From(run.Scenario, run.Order, record.Rows);
        if (run.Complete)
            throw new RefusalException($"The run in {folder} is complete: there is nothing to resume.");
        var job = new RunJob
        {
            Request = request,
            Scenario = run.Scenario with { Gates = [.. run.Scenario.Gates, .. request.Changes.Gates] },
            Folder = folder,
            Order = resumed.Whole,
            Trials = Trial.From(run.Scenario, resumed.Remaining, record.Rows.Select(row => row.Order).DefaultIfEmpty(0).Max()),
            Before = run,
            Recorded = [.. record.Rows.Where(row => !row.Superseded && !resumed.Blocks.Contains(row.Block))],
            Superseded = resumed.Blocks,
        };
        // After the last row only the end is missing: nothing more is measured, so the set-up does not matter.
        if (job.Trials.Count > 0)
            ResumeRules.Check(job, record);
        return job;
    }
}
