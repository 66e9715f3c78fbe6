using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Experiments.Misbehaving.Load;

/// <summary>Frames that misbehaving clients send in thousands, written once for all of them.</summary>
internal static class MisbehavingFrames
{
    private const int ManySubscriptions = 1_000;
    private const int OnSharedTopic = 10;
    private const int Transactions = 16;
    private const int SendsInTransaction = 1_000;
    private const int LongName = 3_000;

    // Of a transaction with receipts of LongName: as many as 1 MiB, the most of one, has room for.
    private const int SendsInCommitted = 320;

    private static readonly string _name = new('n', LongName);

    private static readonly Lazy<byte[][]> _transactions = new(() =>
        [.. Enumerable.Range(0, Transactions)
            .Select(transaction => Joined(
                [Begin(transaction),
                    .. Enumerable.Range(0, SendsInTransaction).Select(i => Send($"/queue/{_name}-{i}", transaction, i))]))]);

    private static readonly Lazy<byte[]> _committed = new(() =>
        Joined([Begin(0), .. Enumerable.Range(0, SendsInCommitted).Select(i => Send("/topic/none", 0, i)), StompMessages.Commit("t0")]));

    private static readonly Lazy<byte[]> _leaving = new(() =>
        Joined(Enumerable.Range(0, ManySubscriptions).Select(i => StompMessages.Subscribe($"s{i}", "/topic/left-together"))));

    private static readonly Lazy<byte[]> _subscriptions = new(() =>
        Joined(Enumerable.Range(OnSharedTopic, ManySubscriptions - OnSharedTopic)
            .Select(i => StompMessages.Subscribe($"s{i}", $"/topic/{_name}-{i}", "client"))));

    /// <summary>One for each transaction: its BEGIN, and sends with a long destination and a long receipt.</summary>
    public static IReadOnlyList<byte[]> OpenTransactions => _transactions.Value;

    /// <summary>A whole transaction, committed, each message of which asks for a long receipt; nobody subscribes to its topic.</summary>
    public static byte[] CommittedTransaction => _committed.Value;

    /// <summary>A thousand subscriptions to the topic of all that leave together.</summary>
    public static byte[] SubscriptionsToLeave => _leaving.Value;

    /// <summary>
    /// A thousand subscriptions: to its own queue, some to a topic that others read, the others to topics with long names.
    /// </summary>
    public static IEnumerable<byte[]> Subscriptions(string queue, string topic) =>
    [
        StompMessages.Subscribe("s0", queue, "client"),
        .. Enumerable.Range(1, OnSharedTopic - 1).Select(i => StompMessages.Subscribe($"s{i}", topic, "client")),
        _subscriptions.Value,
    ];

    private static byte[] Begin(int transaction) => StompMessages.Begin($"t{transaction}");

    private static byte[] Send(string destination, int transaction, int i) =>
        StompMessages.Send(destination, $"m{i}", [0], receipt: $"{_name}-{i}", $"t{transaction}");

    private static byte[] Joined(IEnumerable<byte[]> frames) => [.. frames.SelectMany(frame => frame)];
}
