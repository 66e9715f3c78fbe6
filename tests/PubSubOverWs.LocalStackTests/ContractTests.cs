using PubSubOverWs.EndToEndTests.Sqs;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.LocalStackTests;

/// <summary>The contract of SQS, held against LocalStack over both clients.</summary>
[Collection(nameof(OneServer))]
public sealed class ContractTests(LocalStackServer server)
{
    public static TheoryData<SqsClientKind, BehaviourName> Behaviours
    {
        get
        {
            var rows = new TheoryData<SqsClientKind, BehaviourName>();
            foreach (var client in Enum.GetValues<SqsClientKind>())
            {
                foreach (var behaviour in Contract.Behaviours)
                    rows.Add(client, new BehaviourName(behaviour.Name));
            }
            return rows;
        }
    }

    [DockerTheory]
    [MemberData(nameof(Behaviours))]
    public async Task LocalStack_keeps_the_contract(SqsClientKind client, BehaviourName behaviour)
    {
        using var run = new ContractRun(server.Endpoint, Connect, KnownDifferences.OfLocalStack);

        await run.CheckAsync($"{behaviour}");

        ISqs Connect(SqsOptions options)
        {
            options.Client = client;
            return SqsClient.Create(options, TimeProvider.System);
        }
    }
}
