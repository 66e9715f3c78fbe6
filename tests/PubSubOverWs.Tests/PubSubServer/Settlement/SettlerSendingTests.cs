using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>What it sends to the parked, the dead-letter and the own queue.</summary>
public sealed class SettlerSendingTests : IDisposable
{
    private static readonly EntryFailure TooLong = new(
        SqsErrorCode.InvalidParameterValue, "Message must be shorter than 1024 bytes.", SenderFault: true);

    private readonly FakeTime _time = new();
    private readonly CancellationTokenSource _giveUp = new();
    private readonly RecordingOwner _owner = new();
    private readonly FakeSqs _sqs;
    private readonly QueueContext _server;
    private readonly Leases _leases;
    private Settler _settler;

    public SettlerSendingTests()
    {
        _sqs = new FakeSqs(_time).With("q", "q-dead", "q-parked");
        _server = Sample.Server(_time, new QueueBrokerOptions { Settle = { Linger = TimeSpan.Zero } }, sqs: _sqs);
        _leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 100);
        _settler = For(Sample.Urls);
    }

    public void Dispose() => _giveUp.Dispose();

    [Fact]
    public async Task A_dead_letter_that_is_refused_stops_no_other_and_is_tried_again_after_15_min_without_being_delivered()
    {
        _sqs.SendFault = (url, entry) => url == Sample.Urls.DeadLetterUrl && entry.Body.Length > 1_024 ? TooLong : null;
        var large = Lease(Sample.Message("large", body: new string('x', 2_000)));
        large.Messages[0].Deliveries++;
        _settler.DeadLetter(large.Messages[0]);
        for (var i = 0; i < 25; i++)
            _settler.DeadLetter(Lease(Sample.Message($"m{i}")).Messages[0]);
        await _settler.IdleAsync();

        Assert.Equal(25, _sqs.Bodies("q-dead").Count);
        Assert.Equal(26, _owner.SettledIds.Count);
        Assert.Equal((25, 1), (Stats().DeadLettered, Stats().DeadLettersRefused));
        Assert.True(EnvelopeJson.TryRead(Assert.Single(_sqs.Bodies("q")), out var envelope, out _));
        Assert.Equal([1], envelope.Deliveries);
        _time.Advance(TimeSpan.FromMinutes(15) - TimeSpan.FromSeconds(1));
        Assert.Equal(0, _sqs.Visible("q"));
        _time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal(1, _sqs.Visible("q"));
    }

    [Fact]
    public async Task A_call_that_is_refused_because_of_one_message_is_made_for_each()
    {
        _sqs.SendFault = (url, entry) => url == Sample.Urls.DeadLetterUrl && entry.Body.Length > 1_024
            ? throw new QueueException(SqsErrorCode.BatchRequestTooLong, "The batch is too long.", isRetryable: false)
            : null;
        for (var i = 0; i < 10; i++)
            _settler.DeadLetter(Lease(Sample.Message($"m{i}", body: new string('x', i == 4 ? 2_000 : 1))).Messages[0]);
        await _settler.IdleAsync();
        Assert.Equal((9, 1), (_sqs.Bodies("q-dead").Count, _sqs.Bodies("q").Count));
        Assert.Equal(10, _owner.SettledIds.Count);
    }

    [Fact]
    public async Task The_largest_transaction_that_is_taken_fits_its_queue_with_its_counts_too()
    {
        _sqs.SendFault = (_, entry) => entry.Body.Length > QueueLimits.MaxMessageBytes ? TooLong : null;
        var largest = await PublishLargestAsync();
        Assert.True(EnvelopeJson.TryRead(largest, out var envelope, out _));
        var received = new ReceivedMessage("sqs-1", "1", largest, 1);
        var lease = new Lease(received, envelope, earlierDeliveries: _ => 999, _owner);

        _settler.SendAgain(lease, lease.Messages, TimeSpan.Zero);
        await _settler.IdleAsync();
        Assert.Equal(1_000, _owner.SettledIds.Count);
        var sent = _sqs.Bodies("q")[^1];
        Assert.True(EnvelopeJson.TryRead(sent, out var again, out _));
        Assert.All(again.Deliveries!, count => Assert.Equal(999, count));
        Assert.InRange(sent.Length, QueueLimits.MaxMessageBytes - 10_000, QueueLimits.MaxMessageBytes);
    }

    [Fact]
    public async Task An_invalid_envelope_that_the_dead_letter_queue_refuses_goes_back_as_it_is()
    {
        _sqs.SendFault = (url, _) => url == Sample.Urls.DeadLetterUrl ? TooLong : null;
        var body = "no envelope"u8.ToArray();
        await _sqs.PutAsync("q", body);
        _settler.DeadLetterWhole(new Lease((await _sqs.GetAsync("q"))[0]));
        await _settler.IdleAsync();
        Assert.Equal(body, Assert.Single(_sqs.Bodies("q")).ToArray());
        Assert.Equal(0, _sqs.Visible("q"));
    }

    [Fact]
    public async Task A_message_that_cannot_be_parked_is_sent_again_with_a_delay()
    {
        _sqs.SendFault = (url, _) => url == Sample.Urls.ParkedUrl ? TooLong : null;
        Park(Lease(Sample.Message("m")));
        await _settler.IdleAsync();
        Assert.Equal((0, 1, 0), (_sqs.Bodies("q-parked").Count, _sqs.Bodies("q").Count, _sqs.Visible("q")));
        Assert.Equal(["m"], _owner.SettledIds);
    }

    [Fact]
    public async Task A_message_that_its_own_queue_refuses_is_left_to_its_visibility()
    {
        _sqs.SendFault = (_, _) => TooLong;
        var lease = Lease(Sample.Message("m"));
        _leases.Add([lease]);
        _settler.SendAgain(lease, lease.Messages, TimeSpan.Zero);
        await _settler.IdleAsync();
        Assert.Empty(_owner.SettledIds);
        Assert.Equal(0, _leases.Count);
    }

    [Fact]
    public async Task Ten_are_parked_in_one_call_visible_at_once_and_by_a_round_after_5_s()
    {
        var gate = _sqs.HoldSends();
        Park(Lease(Sample.Message("first")));
        await _sqs.SendCame;
        for (var i = 0; i < 10; i++)
            Park(Lease(Sample.Message($"m{i}")));
        gate.SetResult();
        await _settler.IdleAsync();
        Assert.Equal(2, _sqs.Traffic.Calls(QueueCall.Send));
        Assert.Equal(11, _sqs.Visible("q-parked"));
        Assert.Equal(11, Stats().Parked);

        _settler = For(Sample.Urls.Parked);
        Park(Lease(Sample.Message("again")));
        await _settler.IdleAsync();
        Assert.Equal((12, 11), (_sqs.Bodies("q-parked").Count, _sqs.Visible("q-parked")));
        _time.Advance(ParkedDestinations.HiddenAgain);
        Assert.Equal(12, _sqs.Visible("q-parked"));
    }

    [Fact]
    public async Task No_more_are_on_their_way_to_the_parked_queue_than_the_guarantees_say()
    {
        var gate = _sqs.HoldSends();
        for (var i = 0; i < 100; i++)
            Park(Lease(Sample.Message($"m{i}")));
        await Waiting.UntilAsync(() => _sqs.Traffic.Calls(QueueCall.Send) >= Settler.CallsAtOnce);
        Assert.False(_settler.IdleAsync().IsCompleted);
        Assert.Equal(Settler.CallsAtOnce, _sqs.Traffic.Calls(QueueCall.Send));
        gate.SetResult();
        await _settler.IdleAsync();
        Assert.Equal(100, Stats().Parked);
        var (sends, deletes) = (Settler.CallsAtOnce * QueueLimits.MaxBatchEntries, Settler.CallsAtOnce * QueueLimits.MaxBatchEntries);
        Assert.Contains($"at most {sends} in sends and {deletes} in deletes", SourceTree.Words("docs/reference/guarantees.md"));
    }

    // A thousand messages, and one of them as long as it may be.
    private async Task<ReadOnlyMemory<byte>> PublishLargestAsync()
    {
        await using var sender = new EnvelopeSender(EnvelopeTarget.Queue(_sqs, "q", Sample.Urls.Url), new SendingOptions());
        var publisher = new Publisher(
            sender, TimeSpan.FromSeconds(10), _server.Meter, new PatientCalls(_time, _giveUp.Token), _time);
        var messages = Enumerable.Range(0, 1_000).Select(i => Sample.Message($"m{i}", body: new string('x', 900))).ToArray();
        var (least, most) = (0, QueueLimits.MaxMessageBytes);
        while (least < most)
        {
            var length = (least + most + 1) / 2;
            messages[0] = Sample.Message("m0", body: new string('x', length));
            try
            {
                await publisher.PublishAsync(messages);
                least = length;
            }
            catch (BrokerRefusedException)
            {
                most = length - 1;
            }
        }
        return _sqs.Bodies("q").MaxBy(body => body.Length);
    }

    private Settler For(QueueUrls urls) => new(Sample.Flow(_server, _leases, urls, _giveUp.Token));

    private void Park(Lease lease)
    {
        var destination = lease.Messages[0].Message.Destination;
        _server.Parked.Parking(destination, _server.Parked.RoomsAt(destination));
        _settler.Park(lease.Messages[0]);
    }

    private Lease Lease(params Message[] messages) => _owner.Lease(Sample.Received(messages));

    private QueueStats Stats() => _server.Meter.Read(Sample.Urls, _sqs.Traffic, _leases.Unsettled, nodes: 1);
}
