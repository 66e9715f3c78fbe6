using System.Diagnostics;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Browser;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

/// <summary>
/// What a page is told of a trial, and what becomes of its answer. The page itself is tried under Node.js and in a browser.
/// </summary>
public sealed class PageLoadTests
{
    private const long FirstDue = 5_000;

    private static readonly IterationPlan Plan = new()
    { Run = "run", Iteration = 1, Users = 2, Messages = 2, Arrival = new Arrival(TimeSpan.FromSeconds(2)), Receipts = true };

    [Fact]
    public async Task A_page_gets_the_users_messages_and_due_times_that_the_own_client_would_have()
    {
        using var servers = new ServerGroup(
            [new GroupMember("a", await ResolveAsync(5001), null, null), new GroupMember("b", await ResolveAsync(5002), null, null)]);

        var plan = PageLoad.Translate(Plan, servers);

        Assert.Equal((false, true, 10_000.0), (plan.IsEcho, plan.Receipts, plan.ConnectTimeoutMs));
        Assert.Equal(
            [("ws://127.0.0.1:5001/ws", "/queue/run-1-0"), ("ws://127.0.0.1:5002/ws", "/queue/run-1-1")],
            plan.Users.Select(user => (user.Address, user.Destination)));
        Assert.Equal([("run-1-1-0", 500.0), ("run-1-1-1", 1_500)], plan.Users[1].Messages.Select(message => (message.Id, message.DueMs)));
        Assert.All(plan.Users.SelectMany(user => user.Messages), message =>
        {
            Assert.Equal(100, message.Body.Length);
            Assert.True(Payload.TryRead(Encoding.ASCII.GetBytes(message.Body), out var id));
            Assert.Equal(message.Id, Encoding.ASCII.GetString(id));
        });
    }

    [Fact]
    public void The_answer_of_a_page_is_accounted_for_like_the_log_of_the_own_client()
    {
        PageLog[] seen =
        [
            new(
                null, [0, 1000.5], [new(0, 2, "taken"), new(1, 1001, "shed")],
                [new("run-1-0-0", 3.25, true), new("run-1-0-0", 4, true), new("run-1-1-0", 5, true), new("run-1-0-1", 6, false)]),
            new(new PageFailure(Cause.ServerClosed, "closed with 1006"), [501, null], [], []),
        ];

        var logs = seen.Select((log, user) => PageLoad.Replay(Plan, user, log, FirstDue)).ToArray();
        var found = new ObservationBuilder(logs, Plan, startStamp: 0, firstDueStamp: FirstDue);

        var first = found.Observations[0];
        Assert.Equal(TimeSpan.FromMilliseconds(3.25), first.Received - first.Sent);
        Assert.Equal(Stopwatch.GetElapsedTime(0, FirstDue), first.Sent);
        Assert.Equal(TimeSpan.FromMilliseconds(2), first.Receipt - first.Sent);
        Assert.Equal(
            [Cause.None, Cause.Shed, Cause.ServerClosed, Cause.ServerClosed], found.Observations.Select(one => one.Failure));
        Assert.Null(found.Observations[3].Sent);
        Assert.Equal(new Anomalies(Duplicates: 1, Reorderings: 0, Unexpected: 1, Corrupted: 1), found.Anomalies);
        Assert.Equal(1, found.Acknowledged);
        Assert.Equal(1, found.Failures["server-closed(closed with 1006)"]);
    }

    private static Task<ClientTarget> ResolveAsync(int port) =>
        ClientTarget.ResolveAsync(new Uri($"http://127.0.0.1:{port}"), CancellationToken.None);
}
