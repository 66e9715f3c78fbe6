using System.Text;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Sqs;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class EnvelopeSenderTests
{
    private readonly HeldSqs _sqs = new();

    [Fact]
    public async Task An_entry_leaves_at_once_when_no_call_is_under_way()
    {
        await using var sender = Sender();
        var sent = sender.SendAsync(Entry("a"));

        (await _sqs.NextAsync()).Succeed();

        Assert.Equal(Envelope("a"), (await sent).MessageId);
    }

    [Fact]
    public async Task While_a_call_is_under_way_the_next_envelope_fills_by_default()
    {
        await using var sender = Sender(options => options.Pack = new SendingOptions().Pack);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        for (var i = 1; i <= 9; i++)
            sent.Add(sender.SendAsync(Entry($"{i}")));
        first.Succeed();
        var second = await _sqs.NextAsync();
        second.Succeed();

        Assert.Equal(Envelope("0"), Assert.Single(first.Bodies));
        Assert.Equal(Envelope("1,2,3,4,5,6,7,8,9"), Assert.Single(second.Bodies));
        Assert.All(await Task.WhenAll(sent), result => Assert.True(result.Succeeded));
    }

    [Fact]
    public async Task While_a_call_is_under_way_the_next_batch_fills()
    {
        await using var sender = Sender();
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        for (var i = 1; i <= 9; i++)
            sent.Add(sender.SendAsync(Entry($"{i}")));
        Assert.Equal(0, _sqs.CallsWaiting);

        first.Succeed();
        var second = await _sqs.NextAsync();
        second.Succeed();

        Assert.Equal(Enumerable.Range(1, 9).Select(i => Envelope($"{i}")), second.Bodies);
        Assert.All(await Task.WhenAll(sent), result => Assert.True(result.Succeeded));
    }

    [Fact]
    public async Task Full_batches_leave_beside_a_call_under_way_up_to_the_bound()
    {
        await using var sender = Sender(options => options.MaxCalls = 3);
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
    public async Task A_batch_is_cut_at_the_most_bytes_that_SQS_takes()
    {
        await using var sender = Sender();
        var first = sender.SendAsync(Entry("first"));
        var call = await _sqs.NextAsync();
        var large = new string('x', 600_000);
        var sent = new[] { large, large, "small" }.Select(body => sender.SendAsync(Entry(body))).ToArray();

        call.Succeed();
        await first;
        var second = await _sqs.NextAsync();
        second.Succeed();
        var third = await _sqs.NextAsync();
        third.Succeed();

        Assert.Equal([Envelope(large)], second.Bodies);
        Assert.Equal([Envelope(large), Envelope("small")], third.Bodies);
        await Task.WhenAll(sent);
    }

    [Fact]
    public async Task Each_entry_gets_its_own_outcome()
    {
        await using var sender = Sender();
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        var good = sender.SendAsync(Entry("good"));
        var refused = sender.SendAsync(Entry("refused"));
        call.Succeed();

        var failure = new EntryFailure(SqsErrorCode.InvalidMessageContents, "refused", SenderFault: true);
        (await _sqs.NextAsync()).Answer(new EntryResult(null), new EntryResult(failure));

        Assert.True((await first).Succeeded);
        Assert.True((await good).Succeeded);
        Assert.Same(failure, (await refused).Failure);
    }

    [Fact]
    public async Task When_a_call_fails_as_a_whole_each_of_its_entries_does_and_the_next_leave()
    {
        await using var sender = Sender();
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        var second = sender.SendAsync(Entry("1"));

        call.Fail(new SqsException(SqsErrorCode.Unreachable, "away", isRetryable: true));

        await Assert.ThrowsAsync<SqsException>(() => first);
        (await _sqs.NextAsync()).Succeed();
        Assert.True((await second).Succeeded);
    }

    [Fact]
    public async Task A_caller_waits_while_too_many_entries_wait()
    {
        await using var sender = Sender(options => options.MaxWaiting = 2);
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
        await using var sender = Sender(options => options.MaxWaiting = 1);
        using var impatient = new CancellationTokenSource();
        var first = sender.SendAsync(Entry("0"));
        var call = await _sqs.NextAsync();
        var given = sender.SendAsync(Entry("given up", impatient.Token));
        var waits = sender.SendAsync(Entry("1"));
        await impatient.CancelAsync();

        call.Succeed();
        _sqs.SucceedFromNowOn();

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
        await using var sender = Sender(options => options.Pack = 3);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        for (var i = 1; i <= 7; i++)
            sent.Add(sender.SendAsync(Entry($"{i}")));
        first.Succeed();
        var second = await _sqs.NextAsync();
        var failure = new EntryFailure("InternalError", "failed", SenderFault: false);
        second.Answer(new EntryResult(null), new EntryResult(failure), new EntryResult(null));

        Assert.Equal([Envelope("1,2,3"), Envelope("4,5,6"), Envelope("7")], second.Bodies);
        Assert.Equal([true, true, true, true, false, false, false, true], (await Task.WhenAll(sent)).Select(result => result.Succeeded));
    }

    [Fact]
    public async Task Publishes_of_an_envelope_that_the_queue_refuses_are_sent_alone_and_only_the_one_at_fault_fails()
    {
        await using var sender = Sender(options => options.Pack = 3);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        for (var i = 1; i <= 4; i++)
            sent.Add(sender.SendAsync(Entry($"{i}")));
        first.Succeed();
        var refused = new EntryResult(new EntryFailure(SqsErrorCode.InvalidMessageContents, "refused", SenderFault: true));
        (await _sqs.NextAsync()).Answer(refused, new EntryResult(null));
        var alone = await _sqs.NextAsync();
        alone.Answer(new EntryResult(null), refused, new EntryResult(null));

        Assert.Equal([Envelope("1"), Envelope("2"), Envelope("3")], alone.Bodies);
        Assert.Equal([true, true, false, true, true], (await Task.WhenAll(sent)).Select(result => result.Succeeded));
    }

    [Fact]
    public async Task Publishes_share_an_envelope_up_to_64_KiB_and_a_larger_one_is_alone()
    {
        await using var sender = Sender(options => options.Pack = 50);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        string half = new('h', 32 * 1024), large = new('l', 70_000);
        foreach (var messages in new[] { half, half, "a", large, "b" })
            sent.Add(sender.SendAsync(Entry(messages)));
        first.Succeed();
        var second = await _sqs.NextAsync();
        second.Succeed();

        Assert.Equal([Envelope($"{half},{half}"), Envelope("a"), Envelope(large), Envelope("b")], second.Bodies);
        await Task.WhenAll(sent);
    }

    [Fact]
    public async Task Publishes_that_cannot_share_an_envelope_leave_beside_a_call_under_way_by_tens()
    {
        await using var sender = Sender(options => options.Pack = 50);
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
    public async Task Messages_to_topics_do_not_share_an_envelope_with_others_which_a_client_may_keep()
    {
        await using var sender = Sender(options => options.Pack = 50);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        for (var i = 1; i <= 6; i++)
            sent.Add(sender.SendAsync(new Outgoing(null, Encoding.UTF8.GetBytes($"{i}")) { IsForTopics = i % 2 == 0 }));
        first.Succeed();
        var second = await _sqs.NextAsync();
        second.Succeed();

        Assert.Equal([Envelope("1,3,5"), Envelope("2,4,6")], second.Bodies);
        await Task.WhenAll(sent);
    }

    [Fact]
    public async Task A_message_of_a_raw_relay_connection_does_not_share_its_envelope()
    {
        await using var sender = Sender(options => options.Pack = 3);
        var sent = new List<Task<EntryResult>> { sender.SendAsync(Entry("0")) };
        var first = await _sqs.NextAsync();
        sent.Add(sender.SendAsync(Entry("1")));
        sent.Add(sender.SendAsync(new Outgoing(new EnvelopeOrigin("n", "n.\"1"), "raw"u8.ToArray())));
        sent.Add(sender.SendAsync(Entry("2")));
        first.Succeed();
        var second = await _sqs.NextAsync();
        second.Succeed();

        Assert.Equal(
            [Envelope("1"), """{"version":1,"origin":{"node":"n","connection":"n.\"1"},"messages":[raw]}""", Envelope("2")], second.Bodies);
        await Task.WhenAll(sent);
    }

    private static Outgoing Entry(string messages, CancellationToken givenUp = default) =>
        new(null, Encoding.UTF8.GetBytes(messages), givenUp);

    private static string Envelope(string messages) => $$"""{"version":1,"messages":[{{messages}}]}""";

    private EnvelopeSender Sender(Action<SendingOptions>? configure = null)
    {
        var options = new SendingOptions { Pack = 1 };
        configure?.Invoke(options);
        return new EnvelopeSender(EnvelopeTarget.Queue(_sqs, "q", "http://localhost/1/q"), options);
    }
}
