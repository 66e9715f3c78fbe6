using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;
using PubSubOverWs.LoadTest.Load.Pinning;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>run.json as it is when a run starts or goes on.</summary>
public static class RunDescription
{
    public static RunRecord Start(RunJob job, PinningPlan pinning, DateTimeOffset now) => job.Before is { } before
        ? before with { Scenario = job.Scenario, Order = job.Order, Resumed = before.Resumed + 1, Ended = null, Complete = false }
        : new RunRecord
        {
            Label = job.Request.Label,
            Started = now,
            Scenario = job.Scenario,
            SetUp = SetUp(job, pinning),
            Machine = MachineDescription.Make(),
            Order = job.Order,
        };

    /// <summary>What will stand against what; a run that is resumed must find it as it was.</summary>
    public static SetUp SetUp(RunJob job, PinningPlan pinning) => new()
    {
        OwnServers = job.Request.OwnServersOnly,
        SharedMachine = job.StartsDirect || job.StartsPubSub || new[] { job.Request.Direct, job.Request.PubSub }.Any(url => url is { IsLoopback: true }),
        Queue = Queue(job),
        Settings = Settings(job),
        NotPinnedBecause = job.Scenario.Pinning ? pinning.WhyNot : null,
    };

    private static string Queue(RunJob job) => job switch
    {
        _ when !job.Scenario.Arms.Contains(Arms.PubSub) => "none",
        { Request.SqsEndpoint: { } endpoint } => $"SQS at {Masked(endpoint)}",
        { StartsPubSub: true, Scenario.QueueLatency: { IsSimulated: true } latency } =>
            $"LocalSqs (in memory, a process of this run), simulated distance: answers held back by {Duration.Text(latency.P50)} (p50) to {Duration.Text(latency.P99)} (p99)",
        { StartsPubSub: true } => "LocalSqs (in memory, a process of this run)",
        _ => "of a server that was already there",
    };

    private static SortedDictionary<string, string> Settings(RunJob job)
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, address) in new[] { ("--direct", job.Request.Direct), ("--pubsub", job.Request.PubSub), ("--sqs-endpoint", job.Request.SqsEndpoint) })
        {
            if (address is not null)
                settings[name] = Masked(address);
        }

        if (job.StartsPubSub)
        {
            foreach (var (name, value) in FleetSettings.Shown(job.Request.SqsEndpoint is null))
                settings[name] = value;
        }

        return settings;
    }

    // A user and password in an address are a secret; so may be its query.
    private static string Masked(Uri address) => address.GetComponents(UriComponents.SchemeAndServer | UriComponents.Path, UriFormat.UriEscaped)
        + (address.UserInfo.Length > 0 ? " (user and password masked)" : "");
}
