using System.Globalization;
using System.Text.RegularExpressions;
using PubSubOverWs.Queues;
using StackExchange.Redis;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>What a Redis refuses.</summary>
public sealed partial class RedisFaultTests(RedisServer redis) : IClassFixture<RedisServer>
{
    private const int Room = 1_500_000;
    private const int Bytes = 50_000;

    private readonly string _name = $"t-{Guid.NewGuid():N}";

    [FactNeeds(Needed.Redis)]
    public async Task A_full_Redis_takes_what_fits_and_says_of_each_other_message_that_it_is_full()
    {
        await using var admin = await AdminAsync();
        var database = admin.GetDatabase();
        await using var queue = new RedisQueue(new RedisOptions { Url = redis.Address }, TimeProvider.System);
        var urls = await queue.OpenAsync(_name, CancellationToken.None);
        var used = long.Parse(
            UsedMemory().Match((string)(await database.ExecuteAsync("INFO", "memory"))!).Groups[1].Value, CultureInfo.InvariantCulture);
        await database.ExecuteAsync("CONFIG", "SET", "maxmemory", used + Room);

        var (taken, full) = await queue.FillAsync(urls.Url, Bytes, "OOM");
        await database.ExecuteAsync("CONFIG", "SET", "maxmemory", 0);

        Assert.EndsWith(": it is full (maxmemory), so read messages or give it more.", full.Message, StringComparison.Ordinal);
        Assert.InRange(taken, 1, Room / Bytes);
        Assert.Equal(taken, await queue.CountAsync(urls.Url, CancellationToken.None));
    }

    [FactNeeds(Needed.Redis)]
    public async Task A_database_that_is_not_there_is_a_wrong_setting() => Assert.Equal(
        $"Redis at {redis.Address} has no database 99: set Redis:Database.",
        (await RefusalAsync(new RedisOptions { Url = redis.Address, Database = 99 })).Message);

    [FactNeeds(Needed.Redis)]
    public async Task A_user_without_a_right_that_is_needed_later_cannot_open_the_queue()
    {
        await using var admin = await AdminAsync();
        await admin.GetDatabase().ExecuteAsync("ACL", "SETUSER", "poor", "on", ">secret", "~*", "+@all", "-xclaim");

        var refusal = await RefusalAsync(new RedisOptions { Url = redis.Address, User = "poor", Password = "secret" });

        Assert.Equal(("NOPERM", false), (refusal.Code, refusal.IsRetryable));
        Assert.Contains("refused XCLAIM with NOPERM", refusal.Message, StringComparison.Ordinal);
    }

    [FactNeeds(Needed.Redis)]
    public async Task A_wrong_password_is_a_wrong_setting()
    {
        await using var admin = await AdminAsync();
        await admin.GetDatabase().ExecuteAsync("CONFIG", "SET", "requirepass", "right");

        var refusal = await RefusalAsync(new RedisOptions { Url = redis.Address, Password = "wrong" });
        await admin.GetDatabase().ExecuteAsync("CONFIG", "SET", "requirepass", "");

        Assert.Equal($"Redis at {redis.Address} refused the login: check Redis:User and Redis:Password.", refusal.Message);
    }

    private Task<ConnectionMultiplexer> AdminAsync() => ConnectionMultiplexer.ConnectAsync($"{redis.Address.Authority},allowAdmin=true");

    private async Task<QueueException> RefusalAsync(RedisOptions options)
    {
        await using var queue = new RedisQueue(options, TimeProvider.System);
        return await Assert.ThrowsAsync<QueueException>(async () => await queue.OpenAsync(_name, CancellationToken.None));
    }

    [GeneratedRegex(@"used_memory:(\d+)")]
    private static partial Regex UsedMemory();
}
