using System.Text.Json;
using PubSubOverWs.EndToEndTests;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalStackTests;

/// <summary>
/// A pubsub server that ends while it polls. The polls of one that is killed go on in LocalStack, and what they get is hidden until its
/// visibility runs out.
/// </summary>
[Collection(nameof(OneServer))]
public sealed class EndedServerTests(QueueServer server)
{
    private const string Destination = "/queue/ended";
    private const string CutPolls = "LongPolls: A poll that was cut off takes no message with it";

    private static readonly string[] Messages = [.. Enumerable.Range(0, 8).Select(number => $"{number}")];

    [RunTheory]
    [InlineData(SqsClientKind.Http, true)]
    [InlineData(SqsClientKind.Http, false)]
    [InlineData(SqsClientKind.AwsSdk, true)]
    [InlineData(SqsClientKind.AwsSdk, false)]
    public async Task Another_server_delivers_what_its_polls_took_and_only_then_is_the_queue_drained(SqsClientKind client, bool isKilled)
    {
        using var sqs = TestServers.Client(server.Endpoint.Address);
        var name = $"ended-{Guid.NewGuid():N}";
        await using var first = await StartAsync(client, name, isKilled ? "00:00:20" : "00:00:01");
        var url = await sqs.GetQueueUrlAsync(name, CancellationToken.None);
        // Its polls are there when these are answered.
        for (var call = 0; call < 3; call++)
            await sqs.GetQueueAttributesAsync(url, CancellationToken.None);
        var ended = isKilled ? first.KillAsync() : first.StopAsync();
        if (isKilled)
            await ended;

        await using var second = await StartAsync(client, name, "00:00:01");
        using var user = await StompUser.ConnectAsync(second.Address);
        foreach (var message in Messages)
            Assert.Null(await user.PublishAsync(Destination, message));
        using var stats = new StatsReader(second.Address);
        var drain = await DrainProof.BeginAsync(
            new QueueLocation(sqs, [url], DeadLetterUrl: null), async token => StatsReader.Held((await stats.ReadAsync(token))!),
            DrainLooks.Near, TimeProvider.System, CancellationToken.None);
        using var subscriber = await StompUser.ConnectAsync(second.Address);
        var received = subscriber.ReceiveAllAsync(Destination, Messages);
        var drained = await drain.ProveAsync(CancellationToken.None);

        Assert.Equal(DrainState.Proven, drained.State);
        using var now = JsonDocument.Parse((await stats.ReadAsync(CancellationToken.None))!);
        var counts = now.RootElement.GetProperty("queue");
        Assert.Equal(Messages.Length, counts.GetProperty("deleted").GetInt64());
        await received;
        if (isKilled && server.Differences.ContainsKey(CutPolls))
            Assert.True(counts.GetProperty("redelivered").GetInt64() > 0);
        await ended;
        await DeleteAsync(sqs, name);
    }

    private Task<ChildServer> StartAsync(SqsClientKind client, string queue, string wait) => TestServers.PubSubAsync(
            server.Endpoint.Address, "--Queue:Name", queue, "--Queue:VisibilityTimeout", "00:00:03", "--Queue:WaitTime", wait,
            "--Sqs:Client", $"{client}");

    private static async Task DeleteAsync(SqsOverHttp sqs, string name)
    {
        foreach (var url in await sqs.ListQueuesAsync(name, CancellationToken.None))
            await sqs.DeleteQueueAsync(url, CancellationToken.None);
    }
}
