using System.Globalization;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;
using PubSubOverWs.Experiment.Predictions;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.LoadTest.Runs;

/// <summary>run.json as it is when a run starts or goes on.</summary>
public static class RunDescription
{
    public static RunRecord Start(RunJob job, PinningPlan pinning, DateTimeOffset now) => job.Before is { } before
        ? before with { Scenario = job.Scenario, Order = job.Order, Resumed = before.Resumed + 1, Ended = null, Complete = false }
        : new RunRecord
        {
            Label = job.Request.FolderLabel,
            Started = now,
            Scenario = job.Scenario,
            Prediction = job.Scenario is { IsDemonstration: true, IsAgainstItself: false }
                ? FaultExpectations.Registered(job.Scenario)
                : null,
            SetUp = SetUp(job, pinning),
            Machine = MachineDescription.Make(),
            Order = job.Order,
            Bill = QueueBills.Expect(job),
        };

    /// <summary>What will stand against what; a run that is resumed must find it as it was.</summary>
    public static SetUp SetUp(RunJob job, PinningPlan pinning) => new()
    {
        OwnServers = job.Request.OwnServersOnly,
        SharedMachine = job.StartsDirect || job.StartsPubSub
            || new[] { job.Request.Direct, job.Request.PubSub }.Any(url => url is { IsLoopback: true }),
        Queue = Queue(job),
        SqsClient = job.StartsPubSub ? Kebab.Of(job.Request.Queue.SqsClient) : null,
        Settings = Settings(job),
        NotPinnedBecause = job.Scenario.Pinning ? pinning.WhyNot : null,
    };

    private static string Queue(RunJob job) => job switch
    {
        _ when !job.Scenario.Runs(Arms.PubSub) => "none",
        { Request.Queue: EndpointTarget { Address: var address } } => $"SQS at {MaskedAddress.Of(address)}",
        { Request.Queue: AwsTarget aws, StartsPubSub: true } => $"{aws.Name} (a fresh queue for each block, deleted after it)",
        { Request.Queue: AwsTarget aws } => $"{aws.Name} (of a server that was already there)",
        { StartsPubSub: true, Scenario.QueueLatency: { IsSimulated: true } latency } =>
            $"LocalSqs (in memory, a process of this run), simulated distance: answers held back by {Duration.Text(latency.P50)} (p50) "
                + $"to {Duration.Text(latency.P99)} (p99)",
        { StartsPubSub: true } => "LocalSqs (in memory, a process of this run)",
        _ => "of a server that was already there",
    };

    private static SortedDictionary<string, string> Settings(RunJob job)
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, address) in new[] { ("--direct", job.Request.Direct), ("--pubsub", job.Request.PubSub) })
        {
            if (address is not null)
                settings[name] = MaskedAddress.Of(address);
        }

        foreach (var (name, value) in job.Request.Access.Options)
            settings[name] = value;
        foreach (var (name, value) in job.Request.Queue.Options)
            settings[name] = value;
        if (job.Request.PricePerMillion is { } price)
            settings["--sqs-price"] = price.ToString(CultureInfo.InvariantCulture);

        if (job.StartsPubSub)
        {
            foreach (var (name, value) in job.Request.Queue.ServerSettings)
                settings[$"pubsub {name}"] = value;
            if (job.Scenario.PubSubNodes > 1)
                settings[$"pubsub {PubSubCommands.NodesEnabled}"] = "true";
        }

        foreach (var arm in job.Scenario.Arms.Where(arm => arm.HasQueue ? job.StartsPubSub : job.StartsDirect))
        {
            foreach (var (name, value) in ServerSettings.Of(job.Scenario, arm).Concat(ServerSettings.EnvironmentOf(job.Scenario.Fault)))
                settings[$"{arm} {name}"] = value;
        }

        return settings;
    }
}
