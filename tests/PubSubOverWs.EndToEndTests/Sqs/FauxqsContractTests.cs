using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>An SQS-compatible server that nobody here wrote: it holds our client, and the contract itself, against a second opinion.</summary>
public sealed class FauxqsContractTests(FauxqsContractTests.Server server) : IClassFixture<FauxqsContractTests.Server>
{
    /// <summary>What fauxqs 1.9.2 does not do as SQS does.</summary>
    private static readonly Dictionary<string, string> Differences = new()
    {
    };

    [NodeTheory]
    [MemberData(nameof(BehaviourName.All), MemberType = typeof(BehaviourName))]
    public Task Fauxqs_keeps_the_contract(BehaviourName behaviour) => server.Contract.CheckAsync($"{behaviour}");

    /// <summary>fauxqs under Node.js, for all rows; nothing where that is missing, and the rows are skipped.</summary>
    public sealed class Server : IAsyncLifetime
    {
        private NodeServer? _process;
        private ContractRun? _contract;

        public ContractRun Contract => _contract!;

        public async Task InitializeAsync()
        {
            if (NodeProject.Missing is not null)
                return;
            _process = await NodeServer.StartAsync("fauxqs.mjs");
            _contract = new ContractRun(new ContractEndpoint(_process.Address), options => new SqsOverHttp(options, TimeProvider.System), Differences);
        }

        public async Task DisposeAsync()
        {
            _contract?.Dispose();
            if (_process is not null)
                await _process.DisposeAsync();
        }
    }
}
