using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Live;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Report.Costs;
using Spectre.Console;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>One call of <c>run</c>, from the request to the exit code.</summary>
public static class RunSession
{
    public static async Task<ExitCode> RunAsync(RunRequest request, Terminal terminal, CancellationToken stopping)
    {
        RunRules.Check(request);
        if (request.SelfTest)
            return await Catalogue.Experiments.OfType<ISelfTest>().Single().RunSelfTestAsync(request, terminal, stopping);

        RunJob Plan()
        {
            var job = RunJobs.Make(request, Environment.CurrentDirectory, terminal.Time.GetUtcNow());
            if (!request.DryRun && job.Trials.Count > 0)
                CostConsent.Check(request.Queue, job.Bill, request.MayCostMoney);
            BaselineRules.Check(job, terminal.Time.GetUtcNow());
            return job;
        }

        // A record to resume is read under the lock: another run may be writing it.
        var planned = request.Resume is null || request.DryRun ? Plan() : null;
        if (request.DryRun)
        {
            await terminal.Output.WriteAsync(
                request.Json ? DocumentJson.Write(PlanDocument.From(planned!)) : DryRunText.Text(planned!) + Environment.NewLine);
            return ExitCode.Success;
        }

        InlineCompletions.Enable();
        await using var page = request.Live is { } port ? await LivePage.StartAsync(port, terminal.Time, stopping) : null;
        ExitCode code;
        using (RunLock.Take(Path.GetTempPath(), $"run {request.Scenario ?? request.Resume}"))
        {
            var job = planned ?? Plan();
            foreach (var (word, text) in RunHeader.Write(job))
                await terminal.WriteAsync(word, text);
            if (page is not null)
                await BeginAsync(page, job, terminal);
            if (job.Trials.Count > 0)
                await CheckAsync(job, terminal, stopping);
            code = await JoinAndMeasureAsync(job, page, terminal, stopping);
        }

        if (page is not null && terminal.IsAttended && code != ExitCode.Aborted)
        {
            await terminal.WriteAsync("live", $"{page.Address} stays until Ctrl-C");
            await page.StayAsync(stopping);
        }

        return code;
    }

    private static Task BeginAsync(LivePage page, RunJob job, Terminal terminal)
    {
        var scenario = job.Scenario;
        page.Begin(new LiveRun(
            scenario.Name, job.Folder, [.. scenario.ShownArms, .. scenario.Floor ? [Arm.Floor.Name] : Array.Empty<string>()],
            [.. scenario.Levels.Order(Level.Order).Select(level => $"{level}")]));
        return terminal.WriteAsync("live", $"{page.Address} until {(terminal.IsAttended ? "Ctrl-C" : "the run ends")}");
    }

    private static async Task CheckAsync(RunJob job, Terminal terminal, CancellationToken stopping)
    {
        if (job.Bill is { } bill)
            await terminal.WriteAsync("cost", BillText.Expected(bill));
        foreach (var warning in await Preflight.CheckAsync(job, terminal.Time, stopping))
            await terminal.Output.WriteLineAsync(warning);
    }

    private static async Task<ExitCode> JoinAndMeasureAsync(RunJob job, LivePage? page, Terminal terminal, CancellationToken stopping)
    {
        if (job.Request.Join is not { } join || job.Trials.Count == 0)
            return await MeasureAsync(job, page, terminal, stopping);
        var joined = await join.WaitAsync(job, terminal, stopping);
        try
        {
            var startsSome = job.StartsServers || job.Scenario.Disturbance is not null;
            foreach (var worker in joined.Where(one => startsSome && !IPAddress.IsLoopback(one.From)))
            {
                throw new RefusalException(
                    $"Servers and fault proxies that the run starts listen on this machine only, where {worker.Name} at {worker.From} "
                        + $"cannot reach them: start servers yourself, name them with {TargetList.Options("and")}, and choose no fault.");
            }
            return await MeasureAsync(job with { Joined = joined }, page, terminal, stopping);
        }
        finally
        {
            await Task.WhenAll(joined.Select(one => one.DisposeAsync().AsTask()));
        }
    }

    private static async Task<ExitCode> MeasureAsync(RunJob job, LivePage? page, Terminal terminal, CancellationToken stopping)
    {
        var measurement = new Measurement(job, terminal.Time);
        ILiveView view = terminal.IsLive && !job.Request.Plain
            ? new LiveTable(AnsiConsole.Console, terminal.Width, terminal.Notices)
            : new PlainLines(terminal.Output, terminal.Time);
        if (page is not null)
            view = new LiveViews(view, page);
        var isStopped = false;
        try
        {
            await view.WhileAsync(show => measurement.RunAsync(show, view.BeforeTrialAsync, stopping));
        }
        catch (OperationCanceledException) when (stopping.IsCancellationRequested)
        {
            isStopped = true;
        }
        catch (RecordException error) when (error.IsUnwritable)
        {
            throw new RefusalException($"{error.Message} {Kept(job)}", error);
        }
        finally
        {
            foreach (var queue in measurement.QueuesLeft)
                await terminal.Error.WriteLineAsync(
                    $"The queue {queue.Target} could not be deleted, and may still exist: {queue.Detail}");
        }

        if (!isStopped)
        {
            var code = await EndAsync(job, job.Request.JUnit, terminal, stopping);
            page?.End(code, job.Folder, terminal.IsAttended);
            return code;
        }

        if (measurement.Scores.Arms.Count > 0)
            await EndAsync(job, junit: null, terminal, CancellationToken.None);
        await terminal.Error.WriteLineAsync(
            $"The run was stopped after {measurement.Done} of {measurement.Total} iterations; what was recorded is kept in {job.Folder}, "
                + $"marked incomplete. To continue: {ThisProgram.Name} run --resume {job.Folder}");
        return ExitCode.Aborted;
    }

    private static async Task<ExitCode> EndAsync(RunJob job, string? junit, Terminal terminal, CancellationToken cancellationToken)
    {
        // A large record takes seconds to read.
        await terminal.WriteAsync("making", "the report from the record");
        return await Conclusion.DrawAsync(
            job.Folder, [], job.Request.Baseline, junit, noise: null, terminal, cancellationToken, job.Request);
    }

    private static string Kept(RunJob job) => File.Exists(RecordFiles.Run(job.Folder))
        ? $"What was recorded is kept in {job.Folder}. When it can be written, continue with: {ThisProgram.Name} run --resume {job.Folder}"
        : "Nothing was recorded.";
}
