using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Stomp;
using PubSubOverWs.Tests.LoadTest.Harness.Clients.Scripts;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workloads;

/// <summary>Why a publisher's messages were not sent, and why a subscriber is not there.</summary>
public sealed class ReturningClientTests
{
    private static readonly IterationPlan Plan = new()
    { Run = "t", Iteration = 1, Users = 1, Messages = 2, Receipts = true, Pairs = new PairsPlan() };

    private readonly ClientLog _log = new(["a", "b"], new Countdown(1));
    private readonly Lock _guard = new();

    [Fact]
    public async Task A_message_that_waited_for_the_answers_to_others_says_so_and_not_that_its_publisher_was_offline()
    {
        var answer = new TaskCompletionSource();
        await using var server = await ScriptedServer.StartAsync(async connection =>
        {
            await connection.LetInAsync();
            var sent = await connection.ReceiveAsync(StompCommand.Send);
            await answer.Task;
            await connection.AnswerAsync(sent);
        });
        using var publisher = await EnterAsync(server);
        publisher.BecomesDue();
        publisher.BecomesDue();

        var stopping = publisher.StopAsync();
        answer.SetResult();
        await stopping.Patiently();
        await publisher.EndAsync().Patiently();

        Assert.True(_log.Messages[0].Taken);
        Assert.Equal(new ConnectFailure(Cause.SendError, "its publisher waited for the answers to others"), _log.Messages[1].Refusal);
    }

    [Fact]
    public async Task A_message_that_became_due_while_its_publisher_was_rejected_has_the_cause_of_the_last_try()
    {
        var isIn = new TaskCompletionSource();
        await using var server = await ScriptedServer.StartAsync(async connection =>
        {
            await connection.LetInAsync();
            await isIn.Task;
            connection.Cut();
        });
        using var publisher = await EnterAsync(server);
        isIn.SetResult();
        await Waiting.UntilAsync(() => publisher.LastFailure is not null);
        publisher.BecomesDue();

        await publisher.StopAsync().Patiently();
        await publisher.EndAsync().Patiently();

        Assert.All(_log.Messages, message => Assert.Equal(new ConnectFailure(Cause.HandshakeRejected, "503"), message.Refusal));
        Assert.Equal(0, publisher.Republished);
        Assert.Null(Assert.Single(publisher.Outages).Until);
    }

    [Fact]
    public async Task An_unanswered_subscription_has_timed_out_and_was_not_rejected()
    {
        var time = new FakeTime();
        var subscribed = new TaskCompletionSource();
        await using var server = await ScriptedServer.StartAsync(async connection =>
        {
            await connection.LetInAsync();
            await connection.ReceiveAsync(StompCommand.Subscribe);
            subscribed.SetResult();
        });
        using var subscriber = new Subscriber(await server.TargetAsync(), AtOnce(), Plan, user: 0, _log, _guard, bytesPerSecond: null);
        var entering = subscriber.EnterAsync(time);
        await subscribed.Task.Patiently();

        time.Advance(Plan.ConnectTimeout);

        Assert.Equal(new ConnectFailure(Cause.ConnectTimeout, "no answer to SUBSCRIBE"), await entering.Patiently());
    }

    [Fact]
    public async Task A_subscription_that_the_server_refuses_was_rejected_in_its_words()
    {
        await using var server = await ScriptedServer.StartAsync(async connection =>
        {
            await connection.LetInAsync();
            await connection.ReceiveAsync(StompCommand.Subscribe);
            await connection.SendAsync("ERROR\nmessage:not here\n\n");
        });
        using var subscriber = new Subscriber(await server.TargetAsync(), AtOnce(), Plan, user: 0, _log, _guard, bytesPerSecond: null);

        Assert.Equal(
            new ConnectFailure(Cause.HandshakeRejected, "ERROR not here"), await subscriber.EnterAsync(TimeProvider.System).Patiently());
    }

    private async Task<Publisher> EnterAsync(ScriptedServer server)
    {
        byte[][] sends = [.. _log.Messages.Select((message, i) =>
            StompMessages.Send("/queue/a", message.Id, Payload.Write(100, message.Id, 0, i), $"{i}"))];
        var publisher = new Publisher([await server.TargetAsync()], AtOnce(), Plan.ConnectTimeout, mostUnanswered: 1, _log, sends, _guard);
        Assert.Null(await publisher.EnterAsync(TimeProvider.System));
        return publisher;
    }

    private static Backoff AtOnce() => new(new Random(1), TimeSpan.FromMilliseconds(1));
}
