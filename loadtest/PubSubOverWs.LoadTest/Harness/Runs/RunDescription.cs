using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.LoadTest.Harness.Runs;

/// <summary>Builds run.json when a run starts or is resumed.</summary>
public static class RunDescription
{
    public static RunRecord Start(RunJob job, PinningPlan pinning, DateTimeOffset now) => job.Before is { } before
        ? before with { Scenario = job.Scenario, Order = job.Order, Resumed = before.Resumed + 1, Ended = null, Complete = false }
        : new RunRecord
        {
            Label = job.Request.FolderLabel,
            Started = now,
            Scenario = job.Scenario,
            Prediction = (Catalogue.For(job.Scenario) as IPredictedOutcome)?.Predict(job.Scenario),
            SetUp = SetUp(job, pinning),
            Machine = MachineDescription.Make(),
            Order = job.Order,
            Bill = job.Bill,
        };

    /// <summary>The set-up of the run; a resumed run must have the same.</summary>
    public static SetUp SetUp(RunJob job, PinningPlan pinning) => new()
    {
        OwnServers = job.Request.OwnServersOnly,
        SharedMachine = job.StartsServers || job.Request.AllAddresses.Any(url => url.IsLoopback),
        Queue = job.Queue?.Text ?? "none",
        SqsClient = job.Queue?.Client,
        Client = job.Request.Client,
        Settings = Settings(job),
        NotPinnedBecause = job.Scenario.Pinning ? pinning.WhyNot : null,
    };

    private static SortedDictionary<string, string> Settings(RunJob job)
    {
        var settings = new SortedDictionary<string, string>(StringComparer.Ordinal);
        foreach (var (name, value) in job.Request.Access.Options.Concat(job.Request.Queue.Options))
            settings[name] = value;
        if (job.Request.PricePerMillion is { } price)
            settings["--sqs-price"] = price.ToString(CultureInfo.InvariantCulture);
        foreach (var (target, use) in job.Targets)
        {
            if (use.Address is { } address)
                settings[target.AddressOption] = MaskedAddress.Text(address);
            foreach (var (name, value) in target.Settings(use))
                settings[$"{target.Name} {name}"] = value;
        }

        foreach (var arm in job.Scenario.Arms.Where(arm => job.Request.AddressOf(arm) is null))
        {
            foreach (var (name, value) in job.Scenario.SetUp(arm).Settings.Concat(job.Scenario.SetUp(arm).Environment))
                settings[$"{arm} {name}"] = value;
        }

        return settings;
    }
}
