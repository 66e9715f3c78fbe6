using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class SettlerTests : IDisposable
{
    private static readonly EntryFailure ItsOwn = new("InternalError", "Try again.", SenderFault: false);

    private readonly FakeTime _time = new();
    private readonly RecordingOwner _owner = new();
    private readonly QueueContext _server;
    private readonly CancellationTokenSource _giveUp = new();
    private readonly FakeSqs _sqs;
    private readonly Leases _leases;
    private Settler _settler;

    public SettlerTests()
    {
        _sqs = new FakeSqs(_time).With("q", "q-dead", "q-parked", "other");
        _server = Sample.Server(_time, sqs: _sqs);
        _leases = new Leases(_time, TimeSpan.FromSeconds(30), maxInFlight: 100);
        _settler = SettlerThatLingers(TimeSpan.Zero);
    }

    public void Dispose() => _giveUp.Dispose();

    [Fact]
    public async Task Settled_messages_are_deleted_and_their_leases_are_removed()
    {
        foreach (var lease in await ReceiveAsync(10))
            _settler.Delete(lease);
        foreach (var lease in await ReceiveAsync(2))
            _settler.Delete(lease);
        await _settler.IdleAsync();
        Assert.Empty(_sqs.Bodies("q"));
        Assert.Equal(0, _leases.Count);
        Assert.Equal(12, Stats().Deleted);
    }

    [Fact]
    public async Task A_stale_receipt_handle_is_counted_and_no_more()
    {
        var stale = await ReceiveAsync(1);
        _time.Advance(TimeSpan.FromSeconds(30));
        var again = await ReceiveAsync(0);
        _settler.Delete(stale[0]);
        _settler.Release(stale[0], TimeSpan.Zero);
        _settler.Delete(again[0]);
        await _settler.IdleAsync();
        Assert.Equal((2, 1, 0), (Stats().StaleReceipts, Stats().Deleted, Stats().Released));
        Assert.Empty(_sqs.Bodies("q"));
    }

    [Fact]
    public async Task Released_messages_are_hidden_for_the_given_time_and_their_leases_are_removed()
    {
        var leases = await ReceiveAsync(2);
        _settler.Release(leases[0], TimeSpan.Zero);
        _settler.Release(leases[1], TimeSpan.FromSeconds(4));
        await _settler.IdleAsync();
        Assert.Equal(1, _sqs.Visible("q"));
        _time.Advance(TimeSpan.FromSeconds(4));
        Assert.Equal(2, _sqs.Visible("q"));
        Assert.Equal((0, 2), (_leases.Count, Stats().Released));
    }

    [Fact]
    public async Task A_remainder_becomes_an_envelope_of_its_own_before_it_is_settled()
    {
        var lease = await ReceiveOneAsync(Sample.Message("a"), Sample.Message("b"), Sample.Message("c"));
        _settler.SendAgain(lease, [lease.Messages[0], lease.Messages[2]], TimeSpan.FromSeconds(2));
        await _settler.IdleAsync();
        Assert.True(EnvelopeJson.TryRead(_sqs.Bodies("q")[1], out var envelope, out _));
        Assert.Equal(["a", "c"], envelope.Messages.Select(message => message.Id));
        Assert.Equal(["a", "c"], _owner.SettledIds);
        Assert.Equal(0, _sqs.Visible("q"));
        _time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(1, _sqs.Visible("q"));
    }

    [Fact]
    public async Task A_dead_letter_is_settled_once_the_dead_letter_queue_has_it()
    {
        var lease = await ReceiveOneAsync(Sample.Message("a"), Sample.Message("poison"));
        _settler.DeadLetter(lease.Messages[1]);
        await _settler.IdleAsync();
        Assert.True(EnvelopeJson.TryRead(Assert.Single(_sqs.Bodies("q-dead")), out var envelope, out _));
        Assert.Equal("poison", Assert.Single(envelope.Messages).Id);
        Assert.Equal(["poison"], _owner.SettledIds);
        Assert.Equal(1, Stats().DeadLettered);
    }

    [Fact]
    public async Task An_invalid_envelope_goes_to_the_dead_letter_queue_as_it_is()
    {
        var body = "no envelope"u8.ToArray();
        await _sqs.PutAsync("q", body);
        _settler.DeadLetterWhole(new Lease((await _sqs.GetAsync("q"))[0]));
        await _settler.IdleAsync();
        Assert.Equal(body, Assert.Single(_sqs.Bodies("q-dead")).ToArray());
        Assert.Empty(_sqs.Bodies("q"));
    }

    [Fact]
    public async Task While_the_queue_is_away_a_call_is_repeated()
    {
        var failures = 3;
        _sqs.Fault = call => call == QueueCall.Settle && failures-- > 0 ? FakeSqs.Away : null;
        _settler.Delete((await ReceiveAsync(1))[0]);
        var finished = _settler.IdleAsync();
        for (var pause = 0; pause < 3; pause++)
        {
            await Waiting.UntilAsync(() => _time.TimersSet > 0);
            Assert.False(finished.IsCompleted);
            _time.Advance(TimeSpan.FromSeconds(1));
        }
        await finished;
        Assert.Empty(_sqs.Bodies("q"));
    }

    [Fact]
    public async Task Entries_that_fail_on_the_queues_side_are_tried_again_and_stay_ours_until_then()
    {
        List<Lease> leases = [.. await ReceiveAsync(10), .. await ReceiveAsync(10)];
        var entries = 0;
        _sqs.EntryFault = _ => Interlocked.Increment(ref entries) % 2 == 0 ? ItsOwn : null;
        foreach (var lease in leases.Take(10))
            _settler.Delete(lease);
        foreach (var lease in leases.Skip(10))
            _settler.Release(lease, TimeSpan.Zero);
        await Waiting.UntilAsync(() => _leases.Count == 0, between: () => _time.Advance(TimeSpan.FromMilliseconds(1)));
        await _settler.IdleAsync();
        Assert.Equal((10, 10, 0), (Stats().Deleted, Stats().Released, Stats().StaleReceipts));
        Assert.Equal(10, _sqs.Visible("q"));
    }

    [Fact]
    public async Task A_batch_of_which_every_entry_fails_waits_a_second_before_it_goes_again()
    {
        var lease = (await ReceiveAsync(1))[0];
        _sqs.EntryFault = _ => ItsOwn;
        _settler.Delete(lease);
        await Waiting.UntilAsync(() => _time.TimersSet > 0);
        Assert.Equal((1, 1), (_sqs.Traffic.Calls(QueueCall.Settle), _leases.Count));
        _sqs.EntryFault = _ => null;
        _time.Advance(TimeSpan.FromSeconds(1));
        await _settler.IdleAsync();
        Assert.Equal((2, 0), (_sqs.Traffic.Calls(QueueCall.Settle), _leases.Count));
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task A_call_that_fails_while_the_server_stops_is_not_repeated_and_leaves_the_message_to_its_visibility(bool isEntry)
    {
        var lease = (await ReceiveAsync(1))[0];
        await _giveUp.CancelAsync();
        if (isEntry)
            _sqs.EntryFault = _ => ItsOwn;
        else
            _sqs.Fault = _ => FakeSqs.Away;
        _settler.Delete(lease);
        await _settler.IdleAsync();
        Assert.Single(_sqs.Bodies("q"));
        Assert.Equal((1, 0, 0), (_sqs.Traffic.Calls(QueueCall.Settle), _leases.Count, Stats().Deleted));
    }

    [Fact]
    public async Task A_delete_lingers_for_others()
    {
        var settler = SettlerThatLingers(TimeSpan.FromMilliseconds(10));
        var leases = await ReceiveAsync(2);
        settler.Delete(leases[0]);
        await Waiting.UntilAsync(() => _time.TimersSet > 0);
        settler.Delete(leases[1]);
        Assert.Equal(2, _sqs.Bodies("q").Count);
        _time.Advance(TimeSpan.FromMilliseconds(10));
        await settler.IdleAsync();
        Assert.Empty(_sqs.Bodies("q"));
        Assert.Equal(1, _sqs.Traffic.Calls(QueueCall.Settle));
    }

    [Fact]
    public async Task Nothing_lingers_when_the_server_stops()
    {
        var settler = SettlerThatLingers(TimeSpan.FromMilliseconds(10));
        settler.Delete((await ReceiveAsync(1))[0]);
        await _giveUp.CancelAsync();
        await settler.IdleAsync();
        Assert.Empty(_sqs.Bodies("q"));
    }

    [Fact]
    public async Task A_message_that_was_forwarded_is_settled_here_and_travels_in_an_envelope_of_its_own()
    {
        await using var way = WayToOther();
        var lease = await ReceiveOneAsync(Sample.Message("a"), Sample.Message("b"));
        lease.Messages[1].Deliveries++;
        _settler.Forward(lease.Messages[1], way);
        await _settler.IdleAsync();
        Assert.Equal(["b"], _owner.SettledIds);
        Assert.True(EnvelopeJson.TryRead(Assert.Single(_sqs.Bodies("other")), out var envelope, out _));
        Assert.Equal(["b"], envelope.Messages.Select(message => message.Id));
        Assert.Equal([1], envelope.Deliveries);
        Assert.Equal(1, Stats().Forwarded);
    }

    [Fact]
    public async Task A_message_whose_other_node_is_gone_is_not_forwarded_and_not_settled()
    {
        await using var way = new EnvelopeSender(
            EnvelopeTarget.Queue(_sqs, "gone", FakeSqs.UrlOf("gone")) with { IsLost = _ => true }, new SendingOptions());
        var lease = await ReceiveOneAsync(Sample.Message("a"));
        _sqs.Fault = call =>
            call == QueueCall.Send ? new QueueException(SqsErrorCode.QueueDoesNotExist, "No such queue.", isRetryable: false) : null;
        _settler.Forward(lease.Messages[0], way);
        await _settler.IdleAsync();
        Assert.Empty(_owner.SettledIds);
        Assert.Equal(["a"], _owner.NotForwardedIds);
    }

    [Fact]
    public async Task A_message_that_cannot_be_forwarded_because_the_server_stops_is_left_to_be_released()
    {
        var way = WayToOther();
        await way.DisposeAsync();
        var lease = await ReceiveOneAsync(Sample.Message("a"));
        _settler.Forward(lease.Messages[0], way);
        await _settler.IdleAsync();
        Assert.Empty(_owner.SettledIds);
        Assert.Empty(_owner.NotForwardedIds);
    }

    [Fact]
    public async Task A_message_that_another_queue_does_not_take_is_offered_again_after_a_pause()
    {
        await using var way = WayToOther();
        var lease = await ReceiveOneAsync(Sample.Message("a"));
        _sqs.EntryFault = call => call == QueueCall.Send ? new EntryFailure("InvalidMessageContents", "no", SenderFault: true) : null;
        _settler.Forward(lease.Messages[0], way);
        await Waiting.UntilAsync(() => _time.TimersSet > 0);
        Assert.Empty(_owner.NotForwardedIds);
        _time.Advance(TimeSpan.FromSeconds(1));
        await _settler.IdleAsync();
        Assert.Equal(["a"], _owner.NotForwardedIds);
    }

    private Settler SettlerThatLingers(TimeSpan linger) =>
        new(Sample.Flow(
            _server with { Options = new QueueBrokerOptions { Settle = { Linger = linger } } }, _leases, Sample.Urls, _giveUp.Token));

    private EnvelopeSender WayToOther() =>
        new(EnvelopeTarget.Queue(_sqs, "other", FakeSqs.UrlOf("other")), new SendingOptions());

    private async Task<List<Lease>> ReceiveAsync(int sent)
    {
        await _sqs.PutAsync("q", Enumerable.Range(0, sent).Select(i => Sample.Envelope(Sample.Message($"m{i}"))));
        var leases = (await _sqs.GetAsync("q")).Select(new RecordingOwner().Lease).ToList();
        _leases.Add(leases);
        return leases;
    }

    private async Task<Lease> ReceiveOneAsync(params Message[] messages)
    {
        await _sqs.PutAsync("q", Sample.Envelope(messages));
        return _owner.Lease((await _sqs.GetAsync("q"))[0]);
    }

    private QueueStats Stats() => _server.Meter.Read(Sample.Urls, _sqs.Traffic, _leases.Unsettled, nodes: 1);
}
