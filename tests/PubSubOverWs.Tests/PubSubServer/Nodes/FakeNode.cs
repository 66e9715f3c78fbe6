using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// One node without clients: what it tells and hears, whose queues it reads, and whether the topic feeds it, each step when the test says
/// so.
/// </summary>
internal sealed class FakeNode : IAsyncDisposable
{
    public static readonly NodeOptions Options = new()
    {
        AnnounceEvery = TimeSpan.FromSeconds(2),
        DeadAfter = TimeSpan.FromSeconds(10),
        DeleteAfter = TimeSpan.FromMinutes(1),
    };

    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _quiet = new();
    private readonly FakeTime _time;
    private readonly FakeSqs _queues;
    private readonly List<string> _events;
    private readonly string _id;
    private readonly Announcer _announcer;
    private readonly ControlQueues _control;
    private readonly ControlQueue _own;

    private FakeNode(NodeQueues queues, FakeTime time, FakeSqs sqs, FakeSns sns, List<string> events)
    {
        (_id, _own, _time, _queues, _events) = (queues.Node, queues.Control, time, sqs, events);
        (Sqs, Sns, Table) = (new CutSqs(sqs), new CutSns(sns), new PeerTable(time, Options.DeadAfter));
        Sns.Unsubscribed = arn => events.Add($"{_id} unsubscribes {arn}");
        var node = FakeSns.Node(time, queues, Sqs, Sns, Options);
        _control = new ControlQueues(node);
        _announcer = new Announcer(node, _control.TellAsync);
        Adoption = new Adoption(node, Table, () => _announcer.HearsFor, _control.Know, Read);
        Feed = new TopicFeed(node, () => _announcer.SilentFor, _ => events.Add($"{_id} tells its subscribers"));
    }

    public CutSqs Sqs { get; }

    public CutSns Sns { get; }

    public PeerTable Table { get; }

    public Adoption Adoption { get; }

    public TopicFeed Feed { get; }

    /// <summary>Stopped as by SIGSTOP: it does nothing, and time goes on.</summary>
    public bool IsPaused { get; set; }

    public static async Task<FakeNode> StartAsync(string id, FakeTime time, FakeSqs sqs, FakeSns sns, List<string> events)
    {
        var queues = FakeSns.Queues(id);
        sqs.With(queues.Own.Name, queues.Control.Name);
        var subscription = await sns.SubscribeQueueAsync(queues.TopicArn, queues.Own.Arn, CancellationToken.None);
        return new FakeNode(queues with { Own = queues.Own with { SubscriptionArn = subscription } }, time, sqs, sns, events);
    }

    /// <summary>Does the work of one interval of announcements.</summary>
    public async Task RoundAsync()
    {
        if (IsPaused)
            return;
        // What happened while it was paused it has not seen yet.
        Feed.Watch();
        await EndPollsUntil(_announcer.TellAllAsync());
        try
        {
            while (_queues.Visible(_own.Name) > 0)
                await EndPollsUntil(_control.ListenAsync(Hear, CancellationToken.None));
        }
        catch (QueueException)
        {
            // It would try again later.
        }
        await EndPollsUntil(Adoption.LookAsync(_quiet.Task, _stopping.Token));
        await Feed.LookAsync();
    }

    public async ValueTask DisposeAsync()
    {
        Sqs.Cut = Cut.None;
        await _stopping.CancelAsync();
        _quiet.TrySetResult();
        await EndPollsUntil(Adoption.RunAsync(_quiet.Task, _stopping.Token));
        _stopping.Dispose();
    }

    private void Hear(Announcement said)
    {
        if (said.Node == _id)
            _announcer.HeardOwn(said.Number);
        else
            Table.Hear(said);
    }

    private QueueFlow Read(QueueUrls urls, Func<bool> isSurelyDead)
    {
        _events.Add($"{_id} reads {urls.Name}");
        var options = new QueueBrokerOptions { PollLoops = 1, Settle = { Linger = TimeSpan.Zero } };
        return new QueueFlow(
            Sample.Server(_time, options, sqs: Sqs), urls,
            _ => isSurelyDead() ? DeliverOutcome.NoSubscriber : DeliverOutcome.NoRoom);
    }

    // A flow that ends waits for its poll, and a poll for what comes.
    private Task EndPollsUntil(Task ended) => ended.WhileAsync(() => _queues.EndPolls());
}

/// <summary>Ways to other nodes, where a test wants them. Nothing is sent: what would be is what the test looks at.</summary>
internal sealed class FakeWays
{
    private readonly Dictionary<string, EnvelopeSender> _ways = [];

    /// <summary>Another node has a subscriber.</summary>
    public EnvelopeSender WayTo(string destination) => _ways[destination] = new EnvelopeSender(
        new EnvelopeTarget("another queue", QueueLimits.MaxBatchBytes, _ => throw new NotSupportedException("This test sends nothing.")),
        new SendingOptions());

    public void NoWayTo(string destination) => _ways.Remove(destination);

    public EnvelopeSender? Elsewhere(InboundMessage message) => _ways.GetValueOrDefault(message.Message.Destination);
}
