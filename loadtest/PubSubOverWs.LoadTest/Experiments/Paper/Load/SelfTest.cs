using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Paper.Load;

/// <summary>
/// <c>run --self-test</c>: runs both servers, injects faults below the accounting, and checks that it finds all of them. Measures and
/// records nothing.
/// </summary>
public static class SelfTest
{
    public static async Task<ExitCode> RunAsync(RunRequest request, Terminal terminal, CancellationToken stopping)
    {
        InlineCompletions.Enable();
        using var held = RunLock.Take(Path.GetTempPath(), "run --self-test");
        var job = Job(request);
        await terminal.WriteAsync(
            "self-test", "faults are injected at both servers, below the accounting; takes about 20 s, and records nothing");
        foreach (var warning in await Preflight.CheckAsync(job, terminal.Time, stopping))
            await terminal.Output.WriteLineAsync(warning);
        var arms = await RunAsync(job, terminal.Time, stopping);
        var (exitCode, sentence) = SelfTestVerdict.Judge(arms);
        await terminal.Output.WriteLineAsync(SelfTestTable.Text(arms));
        await terminal.Output.WriteLineAsync($"{sentence} Seed {job.Scenario.Seed}; nothing was recorded.");
        return exitCode;
    }

    private static async Task<IReadOnlyList<SelfTestArm>> RunAsync(RunJob job, TimeProvider time, CancellationToken stopping)
    {
        var pinning = PinningPlan.ForThisMachine(job.Scenario.Pinning);
        await Taskset.MoveThisProcessAsync(pinning, stopping);
        var token = RunToken.Draw(time.GetUtcNow());
        var events = new EventLog(writer: null, time.GetUtcNow(), time);
        await using var deployment = await Deployment.StartAsync(job, pinning, block: 1, token.Queue(1), events, time, stopping);
        var arms = new List<SelfTestArm>();
        foreach (var arm in job.Scenario.Arms)
        {
            var trial = new Trial(arm, job.Scenario.Levels[0], Block: 1, Iteration: 1, Order: 1, WarmUp: false);
            var plan = PaperExperiment.Plan(job.Scenario, trial, token.Text);
            arms.Add(await TestAsync(arm, plan, (int)job.Scenario.Seed, deployment[arm], time, stopping));
        }

        return arms;
    }

    // First without injection: faults of the servers or of the accounting must not be mistaken for injected ones.
    private static async Task<SelfTestArm> TestAsync(
        Arm arm, IterationPlan plan, int seed, RunningTarget server, TimeProvider time, CancellationToken stopping)
    {
        var untouched = await Iteration.RunAsync(new OneWayLoad(plan, server.Servers), server, time, stopping);
        plan = plan with { Iteration = plan.Iteration + 1 };
        var injection = new FaultInjection(plan, seed);
        var measured = await Iteration.RunAsync(
            new OneWayLoad(plan with { Injection = injection }, server.Servers), server, time, stopping);
        foreach (var seen in measured.Observations.Where(seen => seen.Sent - seen.Due > plan.Deadline / 2))
            injection.Ledger.AddNotInjected("sent too late by the load");
        foreach (var (failure, users) in measured.Failures.Where(failure => !failure.Key.StartsWith("shed", StringComparison.Ordinal)))
            injection.Ledger.AddNotInjected(failure, users);
        return new SelfTestArm(
            arm.Name,
            Account.From(untouched, plan.Deadline),
            injection.Ledger.Expect(measured.Observations.Count),
            Account.From(measured, plan.Deadline),
            injection.Ledger.NotInjected);
    }

    private static RunJob Job(RunRequest request) => new()
    {
        Request = request,
        Scenario = FaultInjection.Scenario with
        {
            Pinning = !request.Changes.NoPin,
            Seed = request.Changes.Seed ?? FaultInjection.Scenario.Seed,
        },
        Folder = "", // Nothing is recorded.
        Order = [],
        Trials = [],
    };
}
