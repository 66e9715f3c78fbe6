using System.Diagnostics;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.LoadTest.Harness.Clients;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

/// <summary>From the bytes of a server to the findings, without a socket.</summary>
public sealed class ReceivePathTests : IDisposable
{
    private const string Own = "run-1-0";
    private const long StampOfArrival = 5_000;

    private readonly ServerScript _server = new();
    private readonly Countdown _waiting = new(1);
    private readonly ClientLog _log;

    public ReceivePathTests() => Send(_log = new ClientLog([Own], _waiting));

    [Fact]
    public async Task The_first_intact_copy_is_the_delivery_and_ends_the_waiting()
    {
        await MessageAsync(Own);

        var findings = Play();

        Assert.Equal(Stopwatch.GetElapsedTime(0, StampOfArrival), findings.Observations[0].Received);
        Assert.Equal(default, findings.Anomalies);
        Assert.True(_waiting.Reached.IsCompleted);
    }

    [Fact]
    public async Task Further_copies_are_duplicates()
    {
        await MessageAsync(Own);
        await MessageAsync(Own);
        await MessageAsync(Own);

        Assert.Equal(new Anomalies(Duplicates: 2, 0, 0, 0), Play().Anomalies);
    }

    [Fact]
    public async Task A_message_of_another_user_or_another_run_is_unexpected_and_delivers_nothing()
    {
        await MessageAsync("run-1-1");
        await MessageAsync("other-1-0");

        var findings = Play();

        Assert.Equal(new Anomalies(0, 0, Unexpected: 2, 0), findings.Anomalies);
        Assert.Null(findings.Observations[0].Received);
        Assert.False(_waiting.Reached.IsCompleted);
    }

    [Fact]
    public async Task A_changed_payload_is_corrupted_and_delivers_nothing()
    {
        var payload = Payload.Write(100, Own, 0, 0);
        payload[99] ^= 1;
        await MessageAsync(Own, payload);

        var findings = Play();

        Assert.Equal(new Anomalies(0, 0, 0, Corrupted: 1), findings.Anomalies);
        Assert.Null(findings.Observations[0].Received);
        Assert.False(_waiting.Reached.IsCompleted);
    }

    [Fact]
    public async Task The_payload_of_one_message_under_the_id_of_another_is_corrupted()
    {
        await MessageAsync(Own, Payload.Write(100, "run-1-1", 1, 0));

        Assert.Equal(new Anomalies(0, 0, 0, Corrupted: 1), Play().Anomalies);
    }

    [Fact]
    public async Task An_intact_copy_after_a_corrupted_one_is_the_delivery()
    {
        await MessageAsync(Own, new byte[100]);
        await MessageAsync(Own);

        var findings = Play();

        Assert.NotNull(findings.Observations[0].Received);
        Assert.Equal(new Anomalies(0, 0, 0, Corrupted: 1), findings.Anomalies);
    }

    [Theory]
    [InlineData("taken", true, Cause.None, false)]
    [InlineData("no-subscriber", false, Cause.NoSubscriber, true)]
    [InlineData("shed", false, Cause.Shed, true)]
    public async Task A_receipt_gives_the_outcome_of_its_send(string outcome, bool taken, Cause cause, bool endsTheWaiting)
    {
        await _server.SendAsync($"RECEIPT\nreceipt-id:0\noutcome:{outcome}\n\n\0");

        var seen = Play().Observations[0];

        Assert.Equal((taken, cause), (seen.Taken, seen.Failure));
        Assert.Equal(Stopwatch.GetElapsedTime(0, StampOfArrival), seen.Receipt);
        Assert.Equal(endsTheWaiting, _waiting.Reached.IsCompleted);
    }

    [Fact]
    public async Task A_receipt_without_the_outcome_header_means_that_the_message_was_taken()
    {
        await _server.SendAsync("RECEIPT\nreceipt-id:0\n\n\0");

        var findings = Play();

        Assert.Equal(1, findings.Acknowledged);
    }

    [Fact]
    public async Task ERROR_frames_are_counted_by_their_text()
    {
        await _server.SendAsync("ERROR\nmessage:the queue did not answer\n\n\0");

        var findings = Play();

        Assert.Equal(Cause.ServerClosed, findings.Observations[0].Failure);
        Assert.Equal(1, findings.Failures["server-closed(ERROR the queue did not answer)"]);
    }

    [Fact]
    public async Task Frames_cut_across_WebSocket_messages_are_whole_frames()
    {
        var message = Encoding.ASCII.GetString(Message(Own, Payload.Write(100, Own, 0, 0)));
        await _server.SendAsync(message[..20]);
        await _server.SendAsync(message[20..] + "\n\n" + message);

        Assert.Equal(new Anomalies(Duplicates: 1, 0, 0, 0), Play().Anomalies);
    }

    [Fact]
    public async Task Bytes_that_are_not_STOMP_are_a_fault_and_not_a_crash()
    {
        await _server.SendAsync("GARBAGE\n\n\0");
        using var incoming = Incoming(_server);

        Assert.False(incoming.TryRead(out _));
        Assert.NotNull(incoming.Fault);
    }

    [Fact]
    public async Task Due_and_sent_are_measured_from_the_start_of_the_iteration()
    {
        await MessageAsync(Own);
        Play(_log);

        var findings = new ObservationBuilder(
            [_log, new ClientLog(["run-1-1"], _waiting)], Plan(users: 2) with { Arrival = new Arrival(TimeSpan.FromSeconds(2)) },
            startStamp: 0, firstDueStamp: 500);

        var firstDue = Stopwatch.GetElapsedTime(0, 500);
        Assert.Equal([firstDue, firstDue + TimeSpan.FromSeconds(1)], findings.Observations.Select(seen => seen.Due));
        Assert.Equal([Stopwatch.GetElapsedTime(0, 1_000), null], findings.Observations.Select(seen => seen.Sent));
    }

    [Fact]
    public async Task Of_several_messages_one_that_comes_after_a_later_one_is_a_reordering_and_the_waiting_ends_with_the_last()
    {
        var log = new ClientLog(["run-1-0-0", "run-1-0-1", "run-1-0-2"], _waiting);
        await MessageAsync("run-1-0-1");
        await MessageAsync("run-1-0-0");
        Play(log);
        Assert.False(_waiting.Reached.IsCompleted);

        using var next = new ServerScript();
        await next.SendAsync(Message("run-1-0-2", Payload.Write(100, "run-1-0-2", 0, 2)));
        Play(log, next);

        Assert.True(_waiting.Reached.IsCompleted);
        var findings = new ObservationBuilder([log], Plan(users: 1) with { Messages = 3 }, startStamp: 0, firstDueStamp: 0);
        Assert.Equal(new Anomalies(0, Reorderings: 1, 0, 0), findings.Anomalies);
        Assert.All(findings.Observations, seen => Assert.NotNull(seen.Received));
    }

    [Fact]
    public async Task A_receipt_belongs_to_the_message_that_it_names()
    {
        var log = new ClientLog(["run-1-0-0", "run-1-0-1"], _waiting);
        await _server.SendAsync("RECEIPT\nreceipt-id:1\noutcome:shed\n\n\0RECEIPT\nreceipt-id:7\n\n\0RECEIPT\nreceipt-id:m\n\n\0");

        Play(log);

        var findings = new ObservationBuilder([log], Plan(users: 1) with { Messages = 2 }, startStamp: 0, firstDueStamp: 0);
        Assert.Equal([Cause.None, Cause.Shed], findings.Observations.Select(seen => seen.Failure));
        Assert.Equal(0, findings.Acknowledged);
        Assert.Equal(1, findings.Failures["shed(the receipt said shed)"]);
        Assert.Null(log.Failure); // The user goes on sending.
    }

    [Fact]
    public void Failures_that_differ_only_in_the_message_that_they_name_count_together()
    {
        ClientLog[] logs = [new(["run-1-0-0"], _waiting), new(["run-1-1-0"], _waiting)];
        logs[0].Fail(new ConnectFailure(Cause.ServerClosed, "ERROR Message run-1-0-0 to /queue/run-1-0 was not taken"));
        logs[1].Fail(new ConnectFailure(Cause.ServerClosed, "ERROR Message run-1-1-0 to /queue/run-1-1 was not taken"));

        var findings = new ObservationBuilder(logs, Plan(users: 2), startStamp: 0, firstDueStamp: 0);
        Assert.Equal(
            ("server-closed(ERROR Message ID to /queue/ID was not taken)", 2),
            findings.Failures.Select(one => (one.Key, one.Value)).Single());
    }

    [Fact]
    public void Users_take_turns_so_that_each_sends_at_a_constant_rate()
    {
        var plan = Plan(users: 2) with { Messages = 2, Arrival = new Arrival(TimeSpan.FromSeconds(2)) };

        Assert.Equal(
            [0, 0.5, 1, 1.5],
            new[] { plan.DueAt(0, 0), plan.DueAt(1, 0), plan.DueAt(0, 1), plan.DueAt(1, 1) }.Select(due => due.TotalSeconds));
    }

    public void Dispose() => _server.Dispose();

    private static byte[] Message(string id, byte[] payload) =>
        [.. Encoding.ASCII.GetBytes(
            $"MESSAGE\ndestination:/queue/a\nmessage-id:9\nsubscription:s\nid:{id}\ncontent-length:{payload.Length}\n\n"), .. payload, 0];

    private static IterationPlan Plan(int users) => new() { Run = "run", Iteration = 1, Users = users };

    private static void Send(ClientLog log) => log.Messages[0].SentAt = 1_000;

    private Task MessageAsync(string id, byte[]? payload = null) => _server.SendAsync(Message(id, payload ?? Payload.Write(100, id, 0, 0)));

    private ObservationBuilder Play()
    {
        Play(_log);
        return new ObservationBuilder([_log], Plan(users: 1), startStamp: 0, firstDueStamp: 0);
    }

    private void Play(ClientLog log, ServerScript? from = null)
    {
        using var incoming = Incoming(from ?? _server);
        while (incoming.TryRead(out var frame))
            log.Take(frame, StampOfArrival);
    }

    private static IncomingFrames Incoming(ServerScript from)
    {
        var incoming = new IncomingFrames();
        foreach (var one in from.Bytes)
        {
            incoming.GetMemory().Span[0] = one;
            incoming.Received(1);
        }
        return incoming;
    }
}
