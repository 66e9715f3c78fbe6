using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

public sealed class LocalSqsContractTests(LocalSqsContractTests.Server server) : IClassFixture<LocalSqsContractTests.Server>
{
    /// <summary>What LocalSqs does not do as SQS does, and why.</summary>
    private static readonly Dictionary<string, string> Differences = [];

    [Theory]
    [MemberData(nameof(BehaviourName.All), MemberType = typeof(BehaviourName))]
    public Task LocalSqs_keeps_the_contract(BehaviourName behaviour) => server.Contract.CheckAsync($"{behaviour}");

    /// <summary>LocalSqs as a process, for all rows.</summary>
    public sealed class Server : IAsyncLifetime
    {
        private ChildServer? _process;
        private ContractRun? _contract;

        public ContractRun Contract => _contract!;

        public ContractEndpoint Endpoint => new(_process!.Address);

        public async Task InitializeAsync()
        {
            _process = await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), CancellationToken.None);
            _contract = new ContractRun(Endpoint, options => new SqsOverHttp(options, TimeProvider.System), Differences);
        }

        public async Task DisposeAsync()
        {
            _contract?.Dispose();
            if (_process is not null)
                await _process.DisposeAsync();
        }
    }
}
