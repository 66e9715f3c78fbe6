using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A message that no subscriber gets done goes to the dead-letter queue after so many deliveries.</summary>
public sealed class PoisonTests : IAsyncLifetime
{
    private const int MaxDeliveries = 3;

    private static int s_queues;

    private readonly string _queue = $"poison-{Interlocked.Increment(ref s_queues)}";
    private Uri _localSqs = null!;
    private ChildServer _server = null!;

    public async Task InitializeAsync()
    {
        _localSqs = (await TestServers.SharedQueueAsync()).Address;
        _server = await TestServers.PubSubAsync(_localSqs, "--Queue:Name", _queue, "--Queue:MaxDeliveries", $"{MaxDeliveries}");
    }

    public async Task DisposeAsync() => await _server.DisposeAsync();

    [Fact]
    public async Task A_message_that_is_refused_too_often_is_dead_lettered_and_later_messages_arrive()
    {
        using var publisher = await StompUser.ConnectAsync(_server.Address);
        using var user = await StompUser.ConnectAsync(_server.Address);
        user.Subscribe("/queue/work");

        Assert.Null(await publisher.PublishAsync("/queue/work", "poison"));
        for (var delivery = 1; delivery <= MaxDeliveries; delivery++)
            await user.AnswerAsync("NACK", "poison");
        Assert.Null(await publisher.PublishAsync("/queue/work", "good"));
        await user.AnswerAsync("ACK", "good");

        await DeadLetteredAsync(MaxDeliveries + 1);
    }

    [Fact]
    public async Task A_message_that_makes_its_subscribers_fail_is_dead_lettered()
    {
        using var publisher = await StompUser.ConnectAsync(_server.Address);
        Assert.Null(await publisher.PublishAsync("/queue/deadly", "poison"));

        for (var delivery = 1; delivery <= MaxDeliveries; delivery++)
        {
            using var dies = await StompUser.ConnectAsync(_server.Address);
            dies.Subscribe("/queue/deadly");
            await dies.ReceiveAsync("poison");
        }

        await DeadLetteredAsync(MaxDeliveries);
    }

    /// <param name="delivered">All that was delivered meanwhile, the poison included.</param>
    private async Task DeadLetteredAsync(int delivered)
    {
        using var sqs = TestServers.Client(_localSqs);
        var url = await sqs.GetQueueUrlAsync(_queue, CancellationToken.None);
        var dead = await sqs.GetQueueUrlAsync($"{_queue}-dead", CancellationToken.None);
        await Waiting.UntilAsync(async () => (await sqs.GetQueueAttributesAsync(url, CancellationToken.None)).IsEmpty);
        Assert.Equal(1, (await sqs.GetQueueAttributesAsync(dead, CancellationToken.None)).Visible);
        var stats = await TestServers.StatsAsync(_server);
        Assert.Equal(1, stats.GetProperty("queue").GetProperty("deadLettered").GetInt64());
        Assert.Equal(delivered, stats.GetProperty("messages").GetProperty("out").GetInt64());
    }
}
