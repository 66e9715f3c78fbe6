using PubSubOverWs.EndToEndTests.Sqs;

namespace PubSubOverWs.LocalStackTests;

/// <summary>The contract of SQS, held against the server over both clients.</summary>
[Collection(nameof(OneServer))]
public sealed class ContractTests(QueueServer server)
{
    [EndpointTheory]
    [MemberData(nameof(BehaviourName.All), MemberType = typeof(BehaviourName))]
    public async Task The_server_keeps_the_contract(BehaviourName behaviour)
    {
        using var contract = new ContractClients(server.Endpoint, server.Differences);

        await contract.CheckAsync(behaviour);
    }
}
