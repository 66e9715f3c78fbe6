using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

public sealed class LocalSqsContractTests(LocalSqsContractTests.Server server) : IClassFixture<LocalSqsContractTests.Server>
{
    private const string NoFifo = "not built yet: FIFO queues";
    private const string NoSignatures = "not built yet: signatures are not looked at";
    private const string NoAttributes = "not built yet: message attributes";

    /// <summary>What LocalSqs does not do as SQS does, and why.</summary>
    private static readonly Dictionary<string, string> Differences = new()
    {
        ["Fifo: A FIFO queue has the attributes it was created with"] = NoFifo,
        ["Fifo: The name and the attribute must both say FIFO"] = NoFifo,
        ["Fifo: Content based deduplication can be switched on"] = NoFifo,
        ["Fifo: A message without a group is refused"] = NoFifo,
        ["Fifo: A message without a deduplication id is refused unless it comes of the content"] = NoFifo,
        ["Fifo: A message cannot have a delay of its own"] = NoFifo,
        ["Fifo: Group and deduplication id come with the message"] = NoFifo,
        ["Fifo: Sequence numbers grow and come with send and receive"] = NoFifo,
        ["FifoOrder: Messages of a group come in the order they were sent"] = NoFifo,
        ["FifoOrder: A receive may bring several messages of a group"] = NoFifo,
        ["FifoOrder: A group with a message in flight waits until it is deleted"] = NoFifo,
        ["FifoOrder: Other groups do not wait for it"] = NoFifo,
        ["FifoOrder: What is released comes again before what follows it"] = NoFifo,
        ["FifoOrder: What is visible again comes before what follows it and wakes a poll"] = NoFifo,
        ["FifoOrder: A dead letter no longer holds its group"] = NoFifo,
        ["FifoOrder: Consumers at the same time keep the order of every group"] = NoFifo,
        ["FifoDeduplication: A message sent twice with one id comes once"] = NoFifo,
        ["FifoDeduplication: Twice in one batch too"] = NoFifo,
        ["FifoDeduplication: It does not come again after it was deleted"] = NoFifo,
        ["FifoDeduplication: An id counts in all groups of a queue and in no other queue"] = NoFifo,
        ["FifoDeduplication: Equal bodies come once where the content decides"] = NoFifo,
        ["FifoDeduplication: An id goes before the content"] = NoFifo,
        ["MessageAttributes: Attributes come back with their types and their MD5"] = NoAttributes,
        ["MessageAttributes: Only the attributes come that a receive asks for"] = NoAttributes,
        ["Signatures: A call without a signature is refused"] = NoSignatures,
        ["Signatures: A call signed with another secret is refused"] = NoSignatures,
        ["Signatures: A call signed with a key that nobody has is refused"] = NoSignatures,
        ["Signatures: A call signed half an hour ago or ahead is refused"] = NoSignatures,
        ["Signatures: A call whose body was changed after signing is refused and has no effect"] = NoSignatures,
        ["Signatures: A call whose target was changed after signing is refused and has no effect"] = NoSignatures,
    };

    [Theory]
    [MemberData(nameof(BehaviourName.All), MemberType = typeof(BehaviourName))]
    public Task LocalSqs_keeps_the_contract(BehaviourName behaviour) => server.Contract.CheckAsync($"{behaviour}");

    /// <summary>LocalSqs as a process, for all rows.</summary>
    public sealed class Server : IAsyncLifetime
    {
        private ChildServer? _process;
        private ContractRun? _contract;

        public ContractRun Contract => _contract!;

        public async Task InitializeAsync()
        {
            _process = await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), CancellationToken.None);
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
