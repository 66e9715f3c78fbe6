using PubSubOverWs.EndToEndTests.Sqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalStackTests;

/// <summary>The contract of SQS, held against LocalStack over both clients.</summary>
[Collection(nameof(OneServer))]
public sealed class ContractTests(LocalStackServer server)
{
    [DockerTheory]
    [MemberData(nameof(BehaviourName.OverBothClients), MemberType = typeof(BehaviourName))]
    public async Task LocalStack_keeps_the_contract(SqsClientKind client, BehaviourName behaviour)
    {
        using var contract = new ContractClients(server.Endpoint, KnownDifferences.OfLocalStack);

        await contract.CheckAsync(client, behaviour);
    }
}
