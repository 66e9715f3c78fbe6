using Microsoft.Extensions.Logging.Abstractions;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class PublisherTests : IAsyncDisposable
{
    private readonly FakeTime _time = new();
    private readonly QueueMeter _meter = new();
    private readonly FakeSqs _sqs;
    private readonly EnvelopeSender _sender;
    private readonly CancellationTokenSource _stopped = new();
    private readonly Publisher _publisher;

    public PublisherTests()
    {
        _sqs = new FakeSqs(_time).With("q", "q-dead", "q-parked");
        _sender = new EnvelopeSender(EnvelopeTarget.Queue(_sqs, "q", FakeSqs.UrlOf("q")), new SendingOptions());
        _publisher = new Publisher(
            _sender, TimeSpan.FromSeconds(10), _meter, new PatientCalls(_time, _stopped.Token), _time);
    }

    public async ValueTask DisposeAsync()
    {
        await _sender.DisposeAsync();
        _stopped.Dispose();
    }

    [Fact]
    public async Task A_publish_completes_when_the_queue_has_the_envelope()
    {
        var gate = _sqs.HoldSends();
        var publish = PublishAsync(Sample.Message("a"), Sample.Message("b"));
        Assert.False(publish.IsCompleted);
        gate.SetResult();
        await publish;
        Assert.True(EnvelopeJson.TryRead(Assert.Single(_sqs.Bodies("q")), out var envelope, out _));
        Assert.Equal(["a", "b"], envelope.Messages.Select(message => message.Id));
    }

    [Fact]
    public async Task While_the_queue_does_not_answer_a_publish_is_held_for_the_time_out_and_then_its_outcome_is_unknown()
    {
        var gate = _sqs.HoldSends();
        var publish = PublishAsync(Sample.Message("m-1", "/queue/a"));
        _time.Advance(TimeSpan.FromSeconds(9.9));
        Assert.False(publish.IsCompleted);
        _time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal(
            "Message m-1 to /queue/a was perhaps not taken, the outcome is unknown: the queue q did not answer within 10 s; "
            + "send it again with the same id if it may arrive twice.",
            await RefusalAsync(publish));
        gate.SetResult();
    }

    [Fact]
    public async Task A_pause_of_the_server_does_not_count_as_time_in_which_the_queue_did_not_answer()
    {
        var awake = new AwakeTime(_time);
        var server = QueueContext.Create(_sqs, new QueueBrokerOptions(), new RelayMeter(), _time, awake, NullLogger.Instance);
        var opened = await SingleServer.OpenAsync(server, _ => DeliverOutcome.Taken, CancellationToken.None);
        var gate = _sqs.HoldSends();
        awake.Turn();
        var publish = opened.Publisher.PublishAsync([Sample.Message("m-1")]).AsTask();
        await _sqs.SendCame;

        _time.Advance(10 * server.Options.PublishTimeout);
        Assert.False(publish.IsCompleted);
        gate.SetResult();

        Assert.Equal(PublishOutcome.Taken, await publish);
    }

    [Fact]
    public async Task A_send_that_is_answered_after_the_time_out_still_counts_as_sent()
    {
        var gate = _sqs.HoldSends();
        var publish = PublishAsync(Sample.Message("m-1"));
        await _sqs.SendCame;
        _time.Advance(TimeSpan.FromSeconds(10));
        await RefusalAsync(publish);
        Assert.Equal(0, Sent());
        gate.SetResult();
        await Waiting.UntilAsync(() => Sent() > 0);
        Assert.Single(_sqs.Bodies("q"));
    }

    [Theory]
    [InlineData(false, "The queue is away")]
    [InlineData(true, "the queue q said InternalError: Try again")]
    public async Task While_the_queue_is_away_or_fails_a_publish_is_sent_again_and_then_its_outcome_is_unknown(bool isEntry, string why)
    {
        Fail(isEntry, times: int.MaxValue);
        var publish = PublishAsync(Sample.Message("m-1", "/queue/a"));
        await PassAsync(publish);
        Assert.Equal(
            $"Message m-1 to /queue/a was perhaps not taken, the outcome is unknown: {why}; "
                + "send it again with the same id if it may arrive twice.",
            await RefusalAsync(publish));
        Assert.InRange(_sqs.Traffic.Calls(QueueCall.Send), 2, 11);
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_queue_that_comes_back_within_the_time_out_takes_the_message(bool isEntry)
    {
        Fail(isEntry, times: 3);
        var publish = PublishAsync(Sample.Message("m-1", "/queue/a"));
        await PassAsync(publish);
        Assert.Equal(PublishOutcome.Taken, await publish);
        Assert.Single(_sqs.Bodies("q"));
    }

    [Fact]
    public async Task When_the_server_stops_while_the_queue_is_away_the_outcome_is_unknown()
    {
        _sqs.Fault = _ => FakeSqs.Away;
        var publish = PublishAsync(Sample.Message("m-1", "/queue/a"));
        await _stopped.CancelAsync();
        Assert.Contains("the outcome is unknown", await RefusalAsync(publish), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_that_the_queue_refuses_is_not_taken()
    {
        _sqs.EntryFault = _ => new EntryFailure("InvalidMessageContents", "It is invalid.", SenderFault: true);
        Assert.Equal(
            "Message m-1 to /queue/a was not taken: the queue q said InvalidMessageContents: It is invalid; "
            + "change it: the queue will not accept it as it is.",
            await RefusalAsync(PublishAsync(Sample.Message("m-1", "/queue/a"))));
    }

    [Fact]
    public async Task Messages_of_a_call_that_is_refused_as_a_whole_are_not_taken()
    {
        _sqs.Fault = _ => new QueueException("AccessDenied", "The queue does not let you send: ask its owner.", isRetryable: false);
        Assert.Equal(
            "Message m-1 to /queue/a was not taken: The queue does not let you send: ask its owner.",
            await RefusalAsync(PublishAsync(Sample.Message("m-1", "/queue/a"))));
    }

    [Fact]
    public async Task An_envelope_beyond_1_MiB_is_refused_by_its_encoded_size()
    {
        var message = new Message("m-1", "/queue/a", [], new byte[700_000], IsText: false);
        Assert.Equal(
            "The transaction of 2 messages, the first to /queue/a, was not taken: encoded for the queue it may have 1,866,846 bytes, "
            + "and the queue takes 1,048,576; send less at once.",
            await RefusalAsync(PublishAsync(message, message)));
        await PublishAsync(message);
    }

    [Fact]
    public async Task A_server_that_stops_takes_no_more()
    {
        await _sender.DisposeAsync();
        Assert.Equal(
            "Message m-1 to /queue/a was not taken: the server is stopping; send it to another or later.",
            await RefusalAsync(PublishAsync(Sample.Message("m-1", "/queue/a"))));
    }

    [Fact]
    public async Task Publishes_that_share_an_SQS_message_count_as_one_that_was_sent()
    {
        var gate = _sqs.HoldSends();
        var first = PublishAsync(Sample.Message("m-1", "/queue/a"));
        await _sqs.SendCame;
        Task[] others = [PublishAsync(Sample.Message("m-2", "/queue/a")), PublishAsync(Sample.Message("m-3", "/queue/b"))];

        gate.SetResult();
        await Task.WhenAll([first, .. others]);

        Assert.Equal((2, 2), (_sqs.Bodies("q").Count, Sent()));
    }

    [Fact]
    public async Task After_an_attempt_that_may_have_arrived_a_refusal_leaves_the_outcome_unknown()
    {
        var refused = new QueueException("AccessDenied", "Not allowed.", isRetryable: false);
        _sqs.Fault = call => call == QueueCall.Send ? FakeSqs.Away : null;
        var publish = PublishAsync(Sample.Message("m-1", "/queue/a"));
        await Waiting.UntilAsync(() => _time.TimersSet >= 2);
        _sqs.Fault = call => call == QueueCall.Send ? refused : null;
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.StartsWith(
            "Message m-1 to /queue/a was perhaps not taken, the outcome is unknown: Not allowed;", await RefusalAsync(publish));
    }

    // Calls as a whole, or the entry in them.
    private void Fail(bool isEntry, int times)
    {
        if (isEntry)
            _sqs.EntryFault = _ => times-- > 0 ? new EntryFailure("InternalError", "Try again.", SenderFault: false) : null;
        else
            _sqs.Fault = _ => times-- > 0 ? FakeSqs.Away : null;
    }

    private long Sent() => _meter.Read(Sample.Urls, _sqs.Traffic, held: default, nodes: 1).Sent;

    private Task<PublishOutcome> PublishAsync(params Message[] messages) => _publisher.PublishAsync(messages).AsTask();

    private Task PassAsync(Task publish) => Waiting.UntilAsync(() => publish.IsCompleted, "the publish has ended", between: () =>
    {
        if (_time.TimersSet >= 2)
            _time.Advance(TimeSpan.FromSeconds(1));
    });

    private static async Task<string> RefusalAsync(Task publish) =>
        (await Assert.ThrowsAsync<BrokerRefusedException>(() => publish)).Message;
}
