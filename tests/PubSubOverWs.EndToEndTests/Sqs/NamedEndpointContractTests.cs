using PubSubOverWs.Sqs;

namespace PubSubOverWs.EndToEndTests.Sqs;

public sealed class NamedEndpointContractTests(NamedEndpointContractTests.Server server) : IClassFixture<NamedEndpointContractTests.Server>
{
    /// <summary>None: what a named endpoint does otherwise is what its run is there to show.</summary>
    private static readonly Dictionary<string, string> Differences = [];

    [NamedEndpointTheory]
    [MemberData(nameof(BehaviourName.OverBothClients), MemberType = typeof(BehaviourName))]
    public Task The_endpoint_keeps_the_contract(SqsClientKind client, BehaviourName behaviour) =>
        server.Contract.CheckAsync(client, behaviour);

    /// <summary>The endpoint, for all rows; nothing where none is named, and the rows are skipped.</summary>
    public sealed class Server : IDisposable
    {
        private readonly ContractClients? _contract = NamedEndpoint.Missing is null
            ? new ContractClients(NamedEndpoint.Find(), Differences)
            : null;

        public ContractClients Contract => _contract!;

        public void Dispose() => _contract?.Dispose();
    }
}
