using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>
/// An SQS-compatible server of another project: a second opinion on our client and on the contract itself.
/// </summary>
public sealed class FauxqsContractTests(FauxqsContractTests.Server server) : IClassFixture<FauxqsContractTests.Server>
{
    private const string AnyReceipt = "a delete takes any receipt handle";
    private const string AnyBatch = "batches are not looked at as such";
    private const string AnySignature = "signatures are not looked at";

    /// <summary>Behaviours in which fauxqs 1.9.2 differs from SQS.</summary>
    private static readonly Dictionary<string, string> Differences = new()
    {
        ["Batches: A receipt that names nothing fails alone in a delete"] = AnyReceipt,
        ["Batches: An id that SQS does not allow is refused"] = "ids of more than 80 letters pass",
        ["Bodies: Characters of every plane above come back"] = "characters above U+FFFF are refused",
        ["DeadLetters: A dead letter queue that does not exist is refused"] = "it is not looked for",
        ["Delays: No more than fifteen minutes are taken"] = "any delay is taken",
        ["Deletes: A second purge within a minute is refused"] = "it purges at any time",
        ["Errors: A parameter that is missing is refused"] = "told as an invalid value",
        ["Errors: A single delete or change with a receipt that names nothing is refused"] = AnyReceipt,
        ["Errors: An operation that SQS does not have is refused"] = "told by the older code, InvalidAction",
        ["Errors: Invalid JSON is refused"] = "told as a fault of the server, 500",
        ["LongPolls: A poll that was cut off takes no message with it"] = "a poll goes on when its caller is gone",
        ["LongPolls: One message wakes one poll and the others wait on"] = "it wakes all, and the others end empty before their time",
        ["MessageAttributes: Only the attributes come that a receive asks for"] = "a receive that asks for none gets all",
        ["Publishes: A batch has one to ten entries"] = AnyBatch,
        ["Publishes: A message of 256 KiB passes and a longer batch does not"] = AnyBatch,
        ["Publishes: An empty message fails alone"] = "the answer does not name it",
        ["Publishes: An id that SNS does not allow is refused"] = AnyBatch,
        ["Publishes: Ids of a batch are distinct"] = AnyBatch,
        ["Queues: A name that SQS does not allow is refused"] = "any name is taken",
        ["Queues: An attribute that SQS does not have is refused"] = "any attribute is taken",
        ["Queues: Queues are listed in pages"] = "what does not fit on the first page is left out",
        ["Receipts: The handle of another queue is refused"] = AnyReceipt,
        ["Signatures: A call signed half an hour ago or ahead is refused"] = AnySignature,
        ["Signatures: A call signed with an unknown key is refused"] = AnySignature,
        ["Signatures: A call signed with another secret is refused"] = AnySignature,
        ["Signatures: A call whose body was changed after signing is refused and has no effect"] = AnySignature,
        ["Signatures: A call whose target was changed after signing is refused and has no effect"] = AnySignature,
        ["Signatures: A call without a signature is refused"] = AnySignature,
        ["Subscriptions: A queue whose policy does not name the topic gets nothing without an error"] =
            "policies are kept and not looked at",
        ["Subscriptions: A topic that does not exist has no subscriptions"] = "its list is empty, where SNS has an error",
        ["Topics: A name that SNS does not allow is refused"] = "any name is taken",
        ["Topics: An invalid ARN is refused"] = "told as a topic that is not found",
        ["TopicSignatures: A call signed for SQS is refused"] = AnySignature,
        ["TopicSignatures: A call signed with another secret is refused and has no effect"] = AnySignature,
        ["TopicSignatures: A call without a signature is refused"] = AnySignature,
        ["Visibility: A deleted message cannot be hidden"] = "told as an invalid receipt handle",
        ["Visibility: A message that is not in flight cannot be hidden"] = "told as an invalid receipt handle",
        ["Visibility: Twelve hours are counted from the receive"] = "the time since the receive is not counted",
    };

    [TheoryNeeds(Needed.Node)]
    [MemberData(nameof(BehaviourName.All), MemberType = typeof(BehaviourName))]
    public Task Fauxqs_keeps_the_contract(BehaviourName behaviour) => server.Contract.CheckAsync(behaviour);

    /// <summary>fauxqs under Node.js, for all rows; nothing where that is missing, and the rows are skipped.</summary>
    public sealed class Server : IAsyncLifetime
    {
        private NodeServer? _process;
        private ContractClients? _contract;

        public ContractClients Contract => _contract!;

        public ContractEndpoint Endpoint => new(_process!.Address);

        public async Task InitializeAsync()
        {
            if (NodeProject.Missing is not null)
                return;
            _process = await NodeServer.StartAsync("fauxqs.mjs");
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
