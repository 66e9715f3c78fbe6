using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>What a NATS refuses.</summary>
public sealed class NatsFaultTests(NatsServerWithUsers nats) : IClassFixture<NatsServerWithUsers>
{
    private const int Room = 1_500_000;
    private const int Bytes = 50_000;

    private readonly string _name = $"t-{Guid.NewGuid():N}";

    [FactNeeds(Needed.Nats)]
    public async Task A_full_stream_takes_what_fits_and_says_of_each_other_message_that_it_is_full()
    {
        await MakeAsync(new StreamConfig(_name, [_name, $"{_name}.*"])
        {
            Retention = StreamConfigRetention.Workqueue,
            Discard = StreamConfigDiscard.New,
            MaxBytes = Room,
        });
        await using var queue = Connect("admin");
        var urls = await queue.OpenAsync(_name, CancellationToken.None);

        var (taken, full) = await queue.FillAsync(urls.Url, Bytes, "10077");

        Assert.EndsWith(": it is full, so read messages or give it more.", full.Message, StringComparison.Ordinal);
        Assert.InRange(taken, 1, Room / Bytes);
        Assert.Equal(taken, await queue.CountAsync(urls.Url, CancellationToken.None));
    }

    [FactNeeds(Needed.Nats)]
    public async Task A_wrong_password_is_a_wrong_setting()
    {
        var refusal = await RefusalAsync("admin", _name, "wrong");

        Assert.Equal($"NATS at {nats.Address} refused the login: check Nats:User and Nats:Password.", refusal.Message);
        Assert.False(refusal.IsRetryable);
    }

    [FactNeeds(Needed.Nats)]
    public async Task The_rights_in_the_documentation_are_enough_and_without_one_of_them_the_queue_cannot_be_opened()
    {
        await using var queue = Connect("relay");
        var urls = await queue.OpenAsync(NatsServerWithUsers.Queue, CancellationToken.None);
        await queue.SendAllAsync(urls.Url, new SendEntry("a"u8.ToArray()), new SendEntry("b"u8.ToArray(), TimeSpan.FromSeconds(1)));
        await queue.SettleAsync(urls.Url, [.. await queue.ReceiveAllAsync(urls.Url, 2, TimeSpan.FromSeconds(3))]);

        var refusal = await RefusalAsync("poor", NatsServerWithUsers.Queue);

        Assert.Equal(("Denied", false), (refusal.Code, refusal.IsRetryable));
        Assert.Contains("refused $JS.ACK.orders.relay", refusal.Message, StringComparison.Ordinal);
    }

    [FactNeeds(Needed.Nats)]
    public async Task A_stream_that_is_no_work_queue_is_not_taken_for_one()
    {
        await MakeAsync(new StreamConfig(_name, [_name]));

        Assert.Equal(
            $"NATS at {nats.Address} has a stream {_name} that is no work queue: name another queue.",
            (await RefusalAsync("admin", _name)).Message);
    }

    private NatsQueue Connect(string user, string password = "right") => new(
        new NatsOptions { Url = nats.Address, User = user, Password = password, RequestTimeout = TimeSpan.FromSeconds(5) },
        TimeProvider.System);

    private async Task MakeAsync(StreamConfig stream)
    {
        await using var connection = new NatsConnection(new NatsOpts
        {
            Url = nats.Address.ToString(),
            AuthOpts = new NatsAuthOpts { Username = "admin", Password = "right" },
        });
        await new NatsJSContext(connection).CreateStreamAsync(stream);
    }

    private async Task<QueueException> RefusalAsync(string user, string name, string password = "right")
    {
        await using var queue = Connect(user, password);
        return await Assert.ThrowsAsync<QueueException>(async () => await queue.OpenAsync(name, CancellationToken.None));
    }
}
