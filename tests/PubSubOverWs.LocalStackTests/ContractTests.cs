using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.LocalStackTests;

/// <summary>The contract of SQS, held against LocalStack over both clients.</summary>
[Collection(nameof(LocalStackCollection))]
public sealed class ContractTests(LocalStackServer server)
{
    public static TheoryData<SqsClientKind, string> Behaviours()
    {
        var cases = new TheoryData<SqsClientKind, string>();
        foreach (var client in Enum.GetValues<SqsClientKind>())
        {
            foreach (var behaviour in Contract.Behaviours)
                cases.Add(client, behaviour.Name);
        }
        return cases;
    }

    [DockerTheory]
    [MemberData(nameof(Behaviours))]
    public async Task LocalStack_does_what_SQS_does(SqsClientKind client, string behaviour)
    {
        using var run = new ContractRun(server.Endpoint, Connect, KnownDifferences.OfLocalStack);

        await run.CheckAsync(behaviour);

        ISqs Connect(SqsOptions options)
        {
            options.Client = client;
            return SqsClient.Create(options, TimeProvider.System);
        }
    }
}
