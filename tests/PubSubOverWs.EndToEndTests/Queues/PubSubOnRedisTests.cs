using System.Net;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>Pubsub servers whose queue is a Redis that is killed.</summary>
public sealed class PubSubOnRedisTests(RedisServer redis) : IClassFixture<RedisServer>
{
    private const string Destination = "/queue/orders";

    private static readonly string[] Ids = [.. Enumerable.Range(0, 50).Select(i => $"m{i}")];

    private readonly string _name = $"t-{Guid.NewGuid():N}";

    [FactNeeds(Needed.Redis)]
    public async Task Everything_arrives_and_nothing_is_left()
    {
        await using var server = await StartAsync();
        using var publisher = await StompUser.ConnectAsync(server.Address);
        await PublishAsync(publisher, Ids);
        using var subscriber = await StompUser.ConnectAsync(server.Address);

        await subscriber.AcknowledgeAsync(Destination, Ids, Ids);

        await EmptyAsync();
        await Waiting.UntilAsync(
            async () => (await TestServers.StatsAsync(server)).GetProperty("queue") is var queue
                && queue.GetProperty("sent").GetInt64() == queue.GetProperty("deleted").GetInt64(),
            "as much is counted as deleted as was sent");
    }

    [FactNeeds(Needed.Redis)]
    public async Task What_a_killed_server_had_comes_to_the_next_one_and_what_was_acknowledged_does_not()
    {
        await using (var killed = await StartAsync())
        {
            using var user = await StompUser.ConnectAsync(killed.Address);
            await PublishAsync(user, Ids);
            await user.AcknowledgeAsync(Destination, Ids, Ids[..20]);
            await Waiting.UntilAsync(async () => await LeftAsync() <= Ids.Length - 20, "what was acknowledged is deleted");
            await killed.KillAsync();
        }
        await using var next = await StartAsync();
        using var subscriber = await StompUser.ConnectAsync(next.Address);

        await subscriber.AcknowledgeAsync(Destination, Ids[20..], Ids[20..]);

        await EmptyAsync();
    }

    [FactNeeds(Needed.Redis)]
    public async Task A_server_goes_on_with_what_a_killed_Redis_took_and_is_not_ready_before()
    {
        await using var server = await StartAsync();
        using var publisher = await StompUser.ConnectAsync(server.Address);
        await PublishAsync(publisher, Ids);

        await redis.KillAsync();
        await Waiting.UntilAsync(async () => await HealthAsync(server) == HttpStatusCode.ServiceUnavailable, "the server is not ready");
        await redis.StartAsync();
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
        "--Queue:Kind", "Redis", "--Redis:Url", redis.Address.ToString(), "--Queue:Name", _name, "--Queue:WaitTime", "00:00:01",
        "--Queue:VisibilityTimeout", "00:00:03", "--Queue:Settle:Linger", "00:00:00"));

    // A message is deleted after its client was told that it is acknowledged.
    private Task EmptyAsync() => Waiting.UntilAsync(async () => await LeftAsync() == 0, "nothing is left");

    private async Task<long> LeftAsync()
    {
        var client = redis.Connect(redis.Address);
        await using var connection = (IAsyncDisposable)client;
        var urls = await client.OpenAsync(_name, CancellationToken.None);
        return await client.CountAsync(urls.Url, CancellationToken.None) + await client.CountAsync(urls.ParkedUrl, CancellationToken.None);
    }
}
