using System.Diagnostics;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.RequestReply;
using PubSubOverWs.LoadTest.Experiments.RequestReply.Load;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;
using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.RequestReply.Load;

/// <summary>A user and a provider, against a server that passes on what a test lets it.</summary>
public sealed class RequestReplyTests : IAsyncDisposable
{
    private static readonly RequestReplyPlan Plan = new(
        "t-1", Users: 1, Providers: 1, Rate: 1000, Requests: 4, Settling: 1, RequestBytes: 32, ReplyBytes: 256, TimeSpan.FromSeconds(10),
        Seed: 1);

    private static readonly RequestReplyScenario Scenario = new() { Name = "t" };

    private readonly TaskCompletionSource<ScriptedConnection> _user = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource<ScriptedConnection> _provider = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private ScriptedServer? _server;
    private ServerGroup? _group;

    [Fact]
    public async Task Every_counted_request_is_an_attempt_there_an_attempt_back_and_a_round_trip()
    {
        var load = await EnterAsync();
        var (user, provider) = (await _user.Task, await _provider.Task);
        var start = Send(load);
        for (var request = 0; request < Plan.Requests; request++)
        {
            await DeliverAsync(provider, await user.ReceiveAsync(StompCommand.Send));
            var reply = await provider.ReceiveAsync(StompCommand.Send);
            Assert.Equal((Plan.UserTopic(0), 256), (reply.Header("destination"), reply.Body.Length));
            await DeliverAsync(user, reply);
        }

        await load.Waiting.Reached.Patiently();
        var seen = await LeaveAsync(load, start);

        Assert.All(seen.Counted.Select((_, flow) => Row(seen, flow)), row =>
            Assert.Equal((3, 3, default(Anomalies)), (row.Buckets.Attempts, row.Buckets.Delivered, row.Anomalies)));
        Assert.True(Row(seen, 0).FromDue.Max >= Row(seen, 1).FromDue.Min);
        Assert.Equal(0.0, seen.Measures["notSent"]);
        Assert.Null(seen.Measures["perCoreSecond"]);
        Assert.NotNull(seen.Measures["answered"]);
        Assert.Empty(seen.Failures);
    }

    [Fact]
    public async Task A_request_that_comes_again_is_answered_once_and_one_that_is_damaged_or_not_for_this_provider_is_not()
    {
        var load = await EnterAsync();
        var (user, provider) = (await _user.Task, await _provider.Task);
        var start = Send(load);
        PlainFrame[] requests = [.. await ReceiveAsync(user)];
        await DeliverAsync(provider, requests[1]);
        await DeliverAsync(provider, requests[1]);
        await DeliverAsync(provider, requests[2] with { Body = requests[2].Body.Replace("...", "..,", StringComparison.Ordinal) });
        await DeliverAsync(provider, requests[2] with { Body = Numbered(4) });
        await DeliverAsync(provider, requests[3] with { Headers = [] });
        await DeliverAsync(provider, requests[3]);
        PlainFrame[] replies = [await provider.ReceiveAsync(StompCommand.Send), await provider.ReceiveAsync(StompCommand.Send)];
        Assert.Equal([1, 3], replies.Select(NumberIn));
        await DeliverAsync(user, replies[0]);
        await DeliverAsync(user, replies[0]);
        await DeliverAsync(user, replies[1] with { Body = "" });
        await DeliverAsync(user, replies[1]);
        await CloseAsync(user);
        var seen = await LeaveAsync(load, start);

        var (trip, request, reply) = (Row(seen, 0), Row(seen, 1), Row(seen, 2));
        Assert.Equal((3, 2, 1), (trip.Buckets.Attempts, trip.Buckets.Delivered, trip.Buckets.LostUnacknowledged));
        Assert.Equal((2, 1), (request.Buckets.Delivered, request.Buckets.LostUnacknowledged));
        // The provider never had it, and so never sent a reply.
        Assert.Equal((2, 1), (reply.Buckets.Delivered, reply.Buckets.Refused));
        Assert.Equal(new Anomalies(Duplicates: 1, 0, Unexpected: 2, Corrupted: 1), request.Anomalies);
        Assert.Equal(new Anomalies(Duplicates: 1, 0, Unexpected: 0, Corrupted: 1), reply.Anomalies);
        Assert.Equal(request.Anomalies.Add(reply.Anomalies), trip.Anomalies);
    }

    [Fact]
    public async Task An_arm_that_has_not_answered_for_as_long_as_the_deadline_is_asked_no_more()
    {
        var load = await EnterAsync(Plan with { Deadline = TimeSpan.FromMilliseconds(2), Requests = 6, Settling = 1 });
        var start = Send(load);
        var requests = await ReceiveAsync(await _user.Task, count: 3);

        Assert.Equal([0, 1, 2], requests.Select(NumberIn));
        // What is left is not waited for.
        Assert.Equal(TimeSpan.Zero, load.DueAt(5));
        var seen = await LeaveAsync(load, start);
        Assert.Equal(3.0, seen.Measures["notSent"]);
        var buckets = Row(seen, 0).Buckets;
        Assert.Equal((5, 3, 2, 5), (buckets.Attempts, buckets.Refused, buckets.LostUnacknowledged, buckets.Causes.Deadline));
    }

    [Fact]
    public async Task A_user_that_was_never_let_in_sends_nothing_and_is_not_waited_for()
    {
        var load = await EnterAsync(letsUserIn: false);
        var start = Send(load);

        await load.Waiting.Reached.Patiently();
        var seen = await LeaveAsync(load, start);
        Assert.Equal((3, 3), (Row(seen, 0).Buckets.Attempts, Row(seen, 0).Buckets.Causes.HandshakeRejected));
        Assert.Equal(1, seen.Failures["handshake-rejected(ERROR no room)"]);
    }

    public async ValueTask DisposeAsync()
    {
        _group?.Dispose();
        if (_server is not null)
            await _server.DisposeAsync();
    }

    private static FlowRow Row(Observed seen, int flow) => seen.Counted[flow].Row(seen.AnomaliesByFlow[flow]);

    private static long Send(RequestReplyLoad load)
    {
        var start = Stopwatch.GetTimestamp();
        for (var send = 0; send < load.Sends; send++)
            load.Send(send);
        return start;
    }

    private static async Task<List<PlainFrame>> ReceiveAsync(ScriptedConnection user, int count = 4)
    {
        var frames = new List<PlainFrame>();
        while (frames.Count < count)
            frames.Add(await user.ReceiveAsync(StompCommand.Send));
        return frames;
    }

    private static Task DeliverAsync(ScriptedConnection to, PlainFrame send) => to.SendAsync(
        $"MESSAGE\n{string.Concat(send.Headers.Select(header => $"{header.Name}:{header.Value}\n").Where(IsPassedOn))}\n{send.Body}");

    private static bool IsPassedOn(string header) => header.StartsWith("reply-to:", StringComparison.Ordinal);

    // Behind all that was delivered to it.
    private static async Task CloseAsync(ScriptedConnection user)
    {
        await user.SendAsync("ERROR\nmessage:enough\n\n");
        await user.CloseAsync();
    }

    private async Task<Observed> LeaveAsync(RequestReplyLoad load, long start)
    {
        _done.SetResult();
        foreach (var one in load.Participants)
            one.Leave();
        await Task.WhenAll(load.Participants.Select(one => one.EndAsync())).Patiently();
        foreach (var one in load.Participants)
            one.Dispose();
        return load.Observe(start, start);
    }

    private static string Numbered(int number)
    {
        var body = NumberedBody.Create(32);
        NumberedBody.Renumber(body, number);
        return Encoding.ASCII.GetString(body);
    }

    private static int NumberIn(PlainFrame frame) =>
        NumberedBody.TryRead(Encoding.ASCII.GetBytes(frame.Body), out var number) ? number : -1;

    private async Task<RequestReplyLoad> EnterAsync(RequestReplyPlan? plan = null, bool letsUserIn = true)
    {
        var script = (ScriptedConnection client) => ServeAsync(client, letsUserIn);
        _server = await ScriptedServer.StartAsync(script, script);
        _group = new ServerGroup([new GroupMember("t", await _server.TargetAsync(), Stats: null, Process: null)]);
        var load = new RequestReplyLoad(plan ?? Plan, Scenario.Flows, _group);
        await Task.WhenAll(load.Participants.Select(one => one.EnterAsync(TimeProvider.System))).Patiently();
        return load;
    }

    // Which connection comes first is not known: each subscribes to a topic of its own.
    private async Task ServeAsync(ScriptedConnection client, bool letsUserIn)
    {
        await client.LetInAsync();
        var isUser = (await client.ReceiveAsync(StompCommand.Subscribe)).Header("destination") == Plan.UserTopic(0);
        await client.SendAsync(isUser && !letsUserIn ? "ERROR\nmessage:no room\n\n" : "RECEIPT\nreceipt-id:s\n\n");
        (isUser ? _user : _provider).SetResult(client);
        await _done.Task;
    }
}
