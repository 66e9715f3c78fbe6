using System.Net;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Pubsub servers whose queue is a server that is killed.</summary>
/// <param name="queue">The server.</param>
/// <param name="kind">As <c>Queue:Kind</c> names it; where it is has a section of that name.</param>
public abstract class PubSubOnQueueTests(BrokerProcess queue, string kind)
{
    private const string Destination = "/queue/orders";

    private static readonly string[] Ids = [.. Enumerable.Range(0, 50).Select(i => $"m{i}")];

    private readonly string _name = $"t-{Guid.NewGuid():N}";

    public virtual async Task Everything_arrives_and_nothing_is_left()
    {
        await using var server = await StartAsync();
        using var publisher = await StompUser.ConnectAsync(server.Address);
        await PublishAsync(publisher, Ids);
        using var subscriber = await StompUser.ConnectAsync(server.Address);

        await subscriber.AcknowledgeAsync(Destination, Ids, Ids);

        await Waiting.UntilAsync(
            async () => await StatAsync(server, "deleted") == await StatAsync(server, "sent"), "all that was acknowledged is deleted");
        Assert.Equal(0, await LeftAsync());
    }

    public virtual async Task What_a_killed_server_had_comes_to_the_next_one_and_what_was_acknowledged_does_not()
    {
        await using (var killed = await StartAsync())
        {
            using var user = await StompUser.ConnectAsync(killed.Address);
            await PublishAsync(user, Ids);
            await user.AcknowledgeAsync(Destination, Ids, Ids[..20]);
            await Waiting.UntilAsync(async () => await StatAsync(killed, "deleted") >= 20, "what was acknowledged is deleted");
            await killed.KillAsync();
        }
        await using var next = await StartAsync();
        using var subscriber = await StompUser.ConnectAsync(next.Address);

        await subscriber.AcknowledgeAsync(Destination, Ids[20..], Ids[20..]);

        await Waiting.UntilAsync(async () => await StatAsync(next, "deleted") >= Ids.Length - 20, "what was acknowledged is deleted");
        Assert.Equal(0, await LeftAsync());
    }

    public virtual async Task A_server_goes_on_with_what_a_killed_queue_took_and_is_not_ready_before()
    {
        await using var server = await StartAsync();
        using var publisher = await StompUser.ConnectAsync(server.Address);
        await PublishAsync(publisher, Ids);

        await queue.KillAsync();
        await Waiting.UntilAsync(async () => await HealthAsync(server) == HttpStatusCode.ServiceUnavailable, "the server is not ready");
        await queue.StartAsync();
        await Waiting.UntilAsync(async () => await HealthAsync(server) == HttpStatusCode.OK, "the server is ready");

        using var subscriber = await StompUser.ConnectAsync(server.Address);
        await subscriber.AcknowledgeAsync(Destination, Ids, Ids);
    }

    private static async Task PublishAsync(StompUser user, IEnumerable<string> ids)
    {
        foreach (var id in ids)
            Assert.Null(await user.PublishAsync(Destination, id));
    }

    private static async Task<HttpStatusCode> HealthAsync(ChildServer server)
    {
        using var http = new HttpClient();
        using var answer = await http.GetAsync(new Uri(server.Address, "/health/ready"));
        return answer.StatusCode;
    }

    private Task<ChildServer> StartAsync() => TestServers.StartAsync(PubSubTarget.Program.Command(
        "--Queue:Kind", kind, $"--{kind}:Url", queue.Address.ToString(), "--Queue:Name", _name, "--Queue:WaitTime", "00:00:01",
        "--Queue:VisibilityTimeout", "00:00:03", "--Queue:Settle:Linger", "00:00:00"));

    private static async Task<long> StatAsync(ChildServer server, string name) =>
        (await TestServers.StatsAsync(server)).GetProperty("queue").GetProperty(name).GetInt64();

    private async Task<long> LeftAsync()
    {
        var client = queue.Connect(queue.Address);
        await using var connection = (IAsyncDisposable)client;
        var urls = await client.OpenAsync(_name, CancellationToken.None);
        return await client.CountAsync(urls.Url, CancellationToken.None) + await client.CountAsync(urls.ParkedUrl, CancellationToken.None);
    }
}
