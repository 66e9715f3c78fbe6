using PubSubOverWs.EndToEndTests.Load;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.EndToEndTests.Sqs;
using Xunit.Abstractions;

[assembly: TestCollectionOrderer("PubSubOverWs.EndToEndTests.LongestFirst", "PubSubOverWs.EndToEndTests")]

namespace PubSubOverWs.EndToEndTests;

/// <summary>Classes whose tests take longest begin first, so that no core waits for them in the end.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] Longest =
    [
        nameof(VoidRunTests), nameof(PausedRunTests), nameof(LocalSqsContractTests), nameof(FauxqsContractTests), nameof(StoppingTests),
        nameof(AccessTests), nameof(LostWorkerTests), nameof(ExperimentRunTests), nameof(DescriptorTests), nameof(FailingQueueTests),
        nameof(LimitsTests), nameof(PaidQueueTests), nameof(ChildServerTests), nameof(UnreadTests),
    ];

    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) =>
        testCollections.OrderBy(collection => Array.FindIndex(Longest, name => collection.DisplayName.EndsWith($".{name}")) switch
        {
            -1 => Longest.Length,
            var place => place,
        });
}
