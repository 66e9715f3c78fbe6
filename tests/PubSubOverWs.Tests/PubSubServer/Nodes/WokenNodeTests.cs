using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>
/// A node that stood still, and another that took it for dead meanwhile, over LocalSqs: what its clients are told is taken, is not deleted
/// with its queue.
/// </summary>
public sealed class WokenNodeTests : IAsyncLifetime
{
    private const string Destination = "/queue/x";

    private static readonly NodeOptions Options = FakeNode.Options;

    private static readonly TimeSpan Pause = Options.DeleteAfter + Options.DeadAfter;

    private readonly LocalSqsHost _queues = new();
    private readonly CancellationTokenSource _stopping = new();
    private readonly TaskCompletionSource _quiet = new();

    // Of the node that stands still: it moves when that runs again.
    private readonly FakeTime _clock = new();
    private HookedHandler _way = null!;
    private HookedHandler _wayOfOther = null!;
    private SqsOverHttp _sqs = null!;
    private SqsOverHttp _sqsOfOther = null!;
    private NodePeers _peers = null!;
    private Publisher _publisher = null!;
    private NodeQueues _own = null!;
    private Adoption _adoption = null!;
    private int _looks;

    public async Task InitializeAsync()
    {
        await _queues.InitializeAsync();
        (_way, _wayOfOther) = (new HookedHandler(_queues.CreateHandler()), new HookedHandler(_queues.CreateHandler()));
        (_sqs, _sqsOfOther) = (Client(_way), Client(_wayOfOther));

        var node = await NodeAsync("bbbbbb", _sqs, _clock);
        _own = node.Queues;
        node.Subscriptions.Add(new RawSubscription(null!, Destination));
        var control = new ControlQueues(node);
        var announcer = new Announcer(node, control.TellAsync);
        _peers = new NodePeers(node, new PeerTable(_clock, Options.DeadAfter), announcer, _ => { });
        _publisher = new NodePublisher(_peers, _clock);
        await announcer.TellAllAsync();
        await control.ListenAsync(_peers.Hear, CancellationToken.None);
        Assert.Equal($"the queue {_own.Own.Name}", _peers.ChooseSender([Sample.Message("m", Destination)]).Target);

        var other = await NodeAsync("aaaaaa", _sqsOfOther, _queues.Time);
        _adoption = new Adoption(
            other, new PeerTable(_queues.Time, Options.DeadAfter), () => TimeSpan.FromDays(1), _ => { },
            (urls, _) => new QueueFlow(other.Server, urls, _ => DeliverOutcome.NoSubscriber));
    }

    public async Task DisposeAsync()
    {
        await _stopping.CancelAsync();
        _quiet.TrySetResult();
        await _adoption.RunAsync(_quiet.Task, _stopping.Token).WhileAsync(EndPolls);
        await _peers.DisposeAsync();
        _sqs.Dispose();
        _sqsOfOther.Dispose();
        _stopping.Dispose();
        await _queues.DisposeAsync();
    }

    [Fact]
    public async Task What_it_publishes_while_its_queue_is_being_deleted_is_in_the_queue_that_all_share()
    {
        PublishOutcome? outcome = null;
        _wayOfOther.Before = async request =>
        {
            if (outcome is not null || !request.StartsWith("DeleteQueue", StringComparison.Ordinal)
                || !request.Contains($"/{_own.Own.Name}\"", StringComparison.Ordinal))
                return;
            _clock.Leap(Pause);
            outcome = await _publisher.PublishAsync([Sample.Message("m", Destination)]).AsTask().Patiently();
        };
        for (var passed = TimeSpan.Zero; outcome is null; passed += Options.AnnounceEvery)
        {
            Assert.True(passed < 4 * Options.DeleteAfter, "Its queue is not deleted.");
            _queues.Time.Advance(Options.AnnounceEvery);
            await _adoption.LookAsync(_quiet.Task, _stopping.Token).WhileAsync(EndPolls);
        }

        Assert.Equal(PublishOutcome.Taken, outcome);
        Assert.DoesNotContain(_own.Own.Url, await _queues.Sqs.ListQueuesAsync("", CancellationToken.None));
        await ExpectSharedAsync("m");
    }

    [Fact]
    public async Task A_publish_that_was_under_way_when_it_stood_still_is_sent_again_to_the_queue_that_all_share()
    {
        _way.After = request =>
        {
            if (request.StartsWith("SendMessageBatch", StringComparison.Ordinal)
                && request.Contains($"/{_own.Own.Name}\"", StringComparison.Ordinal))
                _clock.Leap(Pause);
            return Task.CompletedTask;
        };
        Assert.Equal(
            PublishOutcome.Taken, await _publisher.PublishAsync([Sample.Message("m", Destination)]).AsTask().Patiently());
        await ExpectSharedAsync("m");
    }

    private async Task ExpectSharedAsync(string id)
    {
        var message = Assert.Single(await _queues.ReceiveAsync(from: _own.Shared.Url));
        Assert.True(EnvelopeJson.TryRead(message.Body, out var envelope, out _));
        Assert.Equal(id, Assert.Single(envelope.Messages).Id);
    }

    // Slowly: time must not run ahead of calls under way.
    private void EndPolls()
    {
        if (++_looks % 2_000 == 0)
            _queues.Time.Advance(TimeSpan.FromSeconds(1));
    }

    private SqsOverHttp Client(HttpMessageHandler way) => new(
        new SqsOptions
        {
            Endpoint = "http://localhost",
            AccessKey = "test",
            SecretKey = "test",
            MaxAttempts = 1,
            RequestTimeout = TimeSpan.FromMinutes(5),
        },
        _queues.Time, way);

    private async Task<NodeContext> NodeAsync(string id, SqsOverHttp sqs, FakeTime time)
    {
        var options = new QueueBrokerOptions
        {
            WaitTime = TimeSpan.FromSeconds(1),
            PollLoops = 1,
            Nodes = Options,
            Settle = { Linger = TimeSpan.Zero },
        };
        return new NodeContext(
            QueueContext.Create(sqs, options, new RelayMeter(), time, time, NullLogger.Instance), sqs, _queues.Sns,
            await NodeQueues.OpenAsync(sqs, _queues.Sns, "q", id, CancellationToken.None), Sample.NoSubscribers(time));
    }

    // Patient: the clock leaps while it waits.
    private sealed class NodePublisher(NodePeers peers, FakeTime time) : Publisher(
        peers.Shared, TimeSpan.FromMinutes(5), new QueueMeter(), new PatientCalls(time, CancellationToken.None), time)
    {
        protected override EnvelopeSender ChooseSender(IReadOnlyList<Message> messages) => peers.ChooseSender(messages);
    }
}
