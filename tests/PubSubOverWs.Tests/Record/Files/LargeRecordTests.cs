using PubSubOverWs.LoadTest.Experiments.Paper;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>
/// A folder of 36,000,000 samples as a run would leave it, made without one: 10,000 users, both arms, 1,800 iterations. What commands take
/// for it is measured by hand (docs/evidence.md), never here.
/// </summary>
[Trait("Category", "Long")]
public sealed class LargeRecordTests
{
    private static readonly OneWayScenario Scenario = new()
    { Name = "large", Users = [10_000], Iterations = 1800, Blocks = 5, WarmUps = 0, Floor = false };

    [LargeRecordFact]
    public void A_record_of_36_million_samples_is_written()
    {
        var (random, run, order) = (new Random(2015), Some.RunOf(Scenario), 0);
        using (var writer = RecordWriter.Create(LargeRecordFactAttribute.Folder!, run))
        {
            foreach (var step in run.Order)
            {
                foreach (var arm in step.Arms)
                {
                    var attempts = Attempts(random, step.Iteration, arm == Relays.Direct ? 0.8 : 1.4);
                    writer.Add(Row(arm, step, ++order, attempts), attempts, []);
                }
            }
        }

        Assert.Equal(36_000_000, RecordReader.Read(LargeRecordFactAttribute.Folder!).Rows.Sum(row => row.Buckets.Attempts));
    }

    private static IterationRow Row(
        string arm, PlannedIteration step, int order, Attempt[] attempts) =>
            Some.Row(arm, step.Level.Number, step.Block, step.Iteration) with
            {
                Order = order,
                Start = TimeSpan.FromSeconds(order),
                Flows = new(
                    FlowAccount.From(Scenario.Flows, Scenario.Deadline, new Observation[attempts.Length], attempts).Single().Row(default)),
            };

    // A body around the usual time, and one message in a hundred up to a hundred times as slow.
    private static Attempt[] Attempts(Random random, int iteration, double usualMs)
    {
        var attempts = new Attempt[Scenario.Users[0]];
        for (var i = 0; i < attempts.Length; i++)
        {
            var sent = TimeSpan.FromTicks((100 * i) + random.Next(100));
            var slow = random.Next(100) == 0 ? Math.Pow(100, random.NextDouble()) : 1;
            var took = TimeSpan.FromTicks((long)(usualMs * slow * (0.5 + random.NextDouble()) * TimeSpan.TicksPerMillisecond));
            attempts[i] = new Attempt(
                $"r7f3a-{iteration}-{i}", i, i, TimeSpan.Zero, sent, null, sent + took, Outcome.Delivered, Cause.None);
        }

        return attempts;
    }
}

/// <summary>Writes gigabytes, and so only where <c>LARGE_RECORD</c> names a folder that is not there yet.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class LargeRecordFactAttribute : FactAttribute
{
    public LargeRecordFactAttribute()
    {
        if (Folder is null)
            Skip = "Writes a record of 36,000,000 samples into the folder that LARGE_RECORD names, when it does.";
    }

    public static string? Folder { get; } = Environment.GetEnvironmentVariable("LARGE_RECORD");
}
