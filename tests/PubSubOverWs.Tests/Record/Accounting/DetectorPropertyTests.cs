using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Tests.Record.Accounting;

/// <summary>The detector is itself tested: what is injected at random places is counted exactly, and nothing else.</summary>
public sealed class DetectorPropertyTests
{
    private static readonly Config Thousand = Config.QuickThrowOnFailure.WithMaxTest(1_000);

    [Fact]
    public void Every_injected_fault_is_counted_exactly() => Check.One(Thousand, Prop.ForAll(Loads().ToArbitrary(), load =>
    {
        var detector = new InjectedLoad(load.Stories, load.Strays, new Random(load.Seed)).Play();

        var attempts = Accountant.Classify(detector.Observe(), InjectedLoad.Deadline, load.Remains);
        var sum = Accountant.Sum(attempts, detector.Acknowledged);

        Assert.Equal(InjectedCounts.Buckets(load.Stories, load.Remains), sum);
        Assert.Equal(InjectedCounts.Anomalies(load.Stories, load.Strays), detector.Anomalies);
    }));

    private static Gen<Load> Loads() =>
        from stories in Story.Any().ArrayOf()
        from strays in Gen.Choose(0, 4)
        from still in Gen.Choose(0, 3)
        from dead in Gen.Choose(0, 3)
        from seed in Gen.Choose(0, int.MaxValue)
        select new Load(stories, strays, new QueueRemains(still, dead), seed);

    private sealed record Load(Story[] Stories, int Strays, QueueRemains Remains, int Seed)
    {
        // What FsCheck shows of a load that was counted wrongly.
        public override string ToString() => $"seed {Seed}, {Strays} strays, {Remains}:\n{string.Join('\n', Stories.AsEnumerable())}";
    }
}
