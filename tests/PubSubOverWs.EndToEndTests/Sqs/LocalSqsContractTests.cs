using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

public sealed class LocalSqsContractTests(LocalSqsContractTests.Server server) : IClassFixture<LocalSqsContractTests.Server>
{
    /// <summary>Behaviours in which LocalSqs differs from SQS, and why.</summary>
    private static readonly Dictionary<string, string> Differences = [];

    [Theory]
    [MemberData(nameof(BehaviourName.OverBothClients), MemberType = typeof(BehaviourName))]
    public Task LocalSqs_keeps_the_contract(SqsClientKind client, BehaviourName behaviour) => server.Contract.CheckAsync(client, behaviour);

    /// <summary>LocalSqs as a process, for all rows.</summary>
    public sealed class Server : IAsyncLifetime
    {
        private ChildServer? _process;
        private ContractClients? _contract;

        public ContractClients Contract => _contract!;

        public ContractEndpoint Endpoint => new(_process!.Address);

        public async Task InitializeAsync()
        {
            _process = await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), CancellationToken.None);
            _contract = new ContractClients(Endpoint, Differences);
        }

        public async Task DisposeAsync()
        {
            _contract?.Dispose();
            if (_process is not null)
                await _process.DisposeAsync();
        }
    }
}
