using Xunit.Abstractions;

[assembly: TestCollectionOrderer("PubSubOverWs.EndToEndTests.LongestFirst", "PubSubOverWs.EndToEndTests")]

namespace PubSubOverWs.EndToEndTests;

/// <summary>Classes whose tests take longest begin first, so that no core waits for them in the end.</summary>
public sealed class LongestFirst : ITestCollectionOrderer
{
    private static readonly string[] Longest =
    [
        "VoidRunTests", "PausedRunTests", "LocalSqsContractTests", "FauxqsContractTests", "StoppingTests", "AccessTests", "LostWorkerTests",
        "ExperimentRunTests", "DescriptorTests", "FailingQueueTests", "LimitsTests", "PaidQueueTests", "ChildServerTests", "UnreadTests",
    ];

    public IEnumerable<ITestCollection> OrderTestCollections(IEnumerable<ITestCollection> testCollections) =>
        testCollections.OrderBy(collection => Array.FindIndex(Longest, name => collection.DisplayName.EndsWith($".{name}")) switch
        {
            -1 => Longest.Length,
            var place => place,
        });
}
