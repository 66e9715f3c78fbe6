using System.Text;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class EnvelopeSenderTests
{
    private readonly HeldSqs _sqs = new();

    [Fact]
    public async Task While_a_call_is_under_way_the_next_envelope_fills_by_default()
    {
        await using var sender = Sender(new SendingOptions().Pack);
        var (next, sent) = await SendBehindOneAsync(sender, Entries(9));
        next.Succeed();

        Assert.Equal(Envelope("1,2,3,4,5,6,7,8,9"), Assert.Single(next.Bodies));
        Assert.All(await Task.WhenAll(sent), result => Assert.True(result.Succeeded));
    }

    [Fact]
    public async Task Full_batches_leave_beside_a_call_under_way_up_to_the_bound()
    {
        await using var sender = Sender(configure: options => options.MaxCalls = 3);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("first")) };
        var calls = new List<HeldCall> { await _sqs.NextAsync() };
        for (var i = 0; i < 35; i++)
            sent.Add(sender.SendAsync(Entry($"{i}")));

        calls.Add(await _sqs.NextAsync());
        calls.Add(await _sqs.NextAsync());
        Assert.Equal([1, 10, 10], calls.Select(call => call.Bodies.Length));
        Assert.Equal(0, _sqs.CallsWaiting);

        _sqs.SucceedFromNowOn();
        calls.ForEach(call => call.Succeed());
        Assert.All(await Task.WhenAll(sent), result => Assert.True(result.Succeeded));
    }

    [Fact]
    public async Task When_a_call_fails_as_a_whole_each_of_its_entries_does_and_the_next_leave()
    {
        await using var sender = Sender();
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        var second = sender.SendAsync(Entry("1"));

        call.Fail(new QueueException(SqsErrorCode.Unreachable, "away", isRetryable: true));

        await Assert.ThrowsAsync<QueueException>(() => first);
        (await _sqs.NextAsync()).Succeed();
        Assert.True((await second).Succeeded);
    }

    [Fact]
    public async Task A_caller_waits_while_too_many_entries_wait()
    {
        await using var sender = Sender(configure: options => options.MaxWaiting = 2);
        using var impatient = new CancellationTokenSource();
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var call = await _sqs.NextAsync();
        sent.Add(sender.SendAsync(Entry("1")));
        sent.Add(sender.SendAsync(Entry("2")));

        var without = sender.SendAsync(Entry("never", impatient.Token));
        await impatient.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => without);
        sent.Add(sender.SendAsync(Entry("3")));

        _sqs.SucceedFromNowOn();
        call.Succeed();
        Assert.Equal(Enumerable.Range(0, 4).Select(i => Envelope($"{i}")), (await Task.WhenAll(sent)).Select(result => result.MessageId));
    }

    [Fact]
    public async Task An_entry_whose_caller_gave_up_is_not_sent_and_makes_room()
    {
        await using var sender = Sender(configure: options => options.MaxWaiting = 1);
        using var impatient = new CancellationTokenSource();
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        var given = sender.SendAsync(Entry("given up", impatient.Token));
        var waits = sender.SendAsync(Entry("1"));
        await impatient.CancelAsync();

        // In this order: the entry that waits may be sent as soon as the call ends.
        _sqs.SucceedFromNowOn();
        call.Succeed();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => given);
        Assert.Equal((Envelope("0"), Envelope("1")), ((await first).MessageId, (await waits).MessageId));
    }

    [Fact]
    public async Task An_entry_whose_caller_gave_up_holds_nothing_however_long_the_call_before_it_hangs()
    {
        await using var sender = Sender();
        using var impatient = new CancellationTokenSource();
        var first = sender.SendAsync(Entry("0"));
        var hangs = await _sqs.NextAsync();
        var given = Entry("given up", impatient.Token);
        var waits = sender.SendAsync(given);
        await impatient.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => waits);
        Assert.True(given.Messages.IsEmpty);

        hangs.Succeed();
        Assert.True((await first).Succeeded);
    }

    [Fact]
    public async Task Stopping_ends_when_every_entry_has_its_outcome_and_no_more_are_taken()
    {
        var sender = Sender();
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        var second = sender.SendAsync(Entry("1"));

        var stopped = sender.DisposeAsync().AsTask();
        await Assert.ThrowsAsync<ObjectDisposedException>(() => sender.SendAsync(Entry("late")));
        Assert.False(stopped.IsCompleted);
        call.Succeed();
        (await _sqs.NextAsync()).Succeed();
        await stopped;

        Assert.True(first.IsCompletedSuccessfully || (await first).Succeeded);
        Assert.True((await second).Succeeded);
    }

    [Fact]
    public async Task Several_publishes_share_an_envelope_when_it_may_carry_several()
    {
        await using var sender = Sender(pack: 3);
        var (next, sent) = await SendBehindOneAsync(sender, Entries(7));
        var failure = new EntryFailure("InternalError", "failed", SenderFault: false);
        next.Answer(new EntryResult(null), new EntryResult(failure), new EntryResult(null));

        Assert.Equal([Envelope("1,2,3"), Envelope("4,5,6"), Envelope("7")], next.Bodies);
        Assert.Equal([true, true, true, true, false, false, false, true], (await Task.WhenAll(sent)).Select(result => result.Succeeded));
    }

    [Fact]
    public async Task Publishes_of_an_envelope_that_the_queue_refuses_are_sent_alone_and_only_the_one_at_fault_fails()
    {
        await using var sender = Sender(pack: 3);
        var (next, sent) = await SendBehindOneAsync(sender, Entries(4));
        var refused = new EntryResult(new EntryFailure(SqsErrorCode.InvalidMessageContents, "refused", SenderFault: true));
        next.Answer(refused, new EntryResult(null));
        var alone = await _sqs.NextAsync();
        alone.Answer(new EntryResult(null), refused, new EntryResult(null));

        Assert.Equal([Envelope("1"), Envelope("2"), Envelope("3")], alone.Bodies);
        Assert.Equal([true, true, false, true, true], (await Task.WhenAll(sent)).Select(result => result.Succeeded));
    }

    [Fact]
    public async Task Publishes_share_an_envelope_up_to_64_KiB_and_a_larger_one_is_alone()
    {
        string half = new('h', 32 * 1024), large = new('l', 70_000);
        await ExpectAsync(
            pack: 50, [Entry(half), Entry(half), Entry("a"), Entry(large), Entry("b")], Envelope($"{half},{half}"), Envelope("a"),
            Envelope(large), Envelope("b"));
    }

    [Fact]
    public async Task Publishes_that_cannot_share_an_envelope_leave_beside_a_call_under_way_by_tens()
    {
        await using var sender = Sender(pack: 50);
        static Outgoing Raw(int number) => new(new EnvelopeOrigin("n", $"n.{number}"), Encoding.UTF8.GetBytes($"{number}"));
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("first")) };
        var calls = new List<HeldCall> { await _sqs.NextAsync() };
        var large = new string('l', EnvelopeSender.MaxSharedBytes);
        for (var i = 0; i < 10; i++)
            sent.Add(sender.SendAsync(Raw(i)));
        calls.Add(await _sqs.NextAsync());
        for (var i = 0; i < 10; i++)
            sent.Add(sender.SendAsync(Entry(large)));
        calls.Add(await _sqs.NextAsync());

        Assert.Equal([1, 10, 10], calls.Select(call => call.Bodies.Length));
        _sqs.SucceedFromNowOn();
        calls.ForEach(call => call.Succeed());
        Assert.All(await Task.WhenAll(sent), result => Assert.True(result.Succeeded));
    }

    [Fact]
    public Task Messages_to_topics_do_not_share_an_envelope_with_others_which_a_client_may_keep() =>
        ExpectAsync(
            pack: 50,
            [.. Enumerable.Range(1, 6).Select(i => new Outgoing(null, Encoding.UTF8.GetBytes($"{i}")) { IsForTopics = i % 2 == 0 })],
            Envelope("1,3,5"), Envelope("2,4,6"));

    [Fact]
    public Task A_message_of_a_raw_relay_connection_does_not_share_its_envelope() =>
        ExpectAsync(
            pack: 3, [Entry("1"), new Outgoing(new EnvelopeOrigin("n", "n.\"1"), "raw"u8.ToArray()), Entry("2")], Envelope("1"),
            """{"version":1,"origin":{"node":"n","connection":"n.\"1"},"messages":[raw]}""", Envelope("2"));

    private async Task ExpectAsync(int pack, Outgoing[] entries, params string[] envelopes)
    {
        await using var sender = Sender(pack);
        var (next, sent) = await SendBehindOneAsync(sender, entries);
        next.Succeed();

        Assert.Equal(envelopes, next.Bodies);
        await Task.WhenAll(sent);
    }

    // They wait while the call of a first entry is under way; the next call has some of them.
    private async Task<(HeldCall Next, Task<EntryResult>[] Sent)> SendBehindOneAsync(EnvelopeSender sender, Outgoing[] entries)
    {
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        Task<EntryResult>[] sent = [first, .. entries.Select(entry => sender.SendAsync(entry))];
        call.Succeed();
        return (await _sqs.NextAsync(), sent);
    }

    private static Outgoing[] Entries(int count) => [.. Enumerable.Range(1, count).Select(i => Entry($"{i}"))];

    private static Outgoing Entry(string messages, CancellationToken givenUp = default) =>
        new(null, Encoding.UTF8.GetBytes(messages), givenUp);

    private static string Envelope(string messages) => $$"""{"version":1,"messages":[{{messages}}]}""";

    private EnvelopeSender Sender(int pack = 1, Action<SendingOptions>? configure = null)
    {
        var options = new SendingOptions { Pack = pack };
        configure?.Invoke(options);
        return new EnvelopeSender(EnvelopeTarget.Queue(_sqs, "q", "http://localhost/1/q"), options);
    }
}
