using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class InputRateTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public void Without_a_bound_there_is_no_rate() => Assert.Null(InputRate.Create(new RelayOptions(), _time));

    [Fact]
    public void A_seconds_worth_of_messages_may_come_at_once_and_then_each_in_its_time()
    {
        var rate = InputRate.Create(new RelayOptions { MaxMessagesPerSecond = 10 }, _time)!;
        rate.TakeBytes(int.MaxValue);
        for (var i = 0; i < 10; i++)
        {
            Assert.Equal(TimeSpan.Zero, rate.Wait());
            rate.TakeMessages(1);
        }
        Assert.Equal(TimeSpan.FromSeconds(0.1), rate.Wait());
        _time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal(TimeSpan.Zero, rate.Wait());
    }

    [Fact]
    public void Bytes_that_came_beyond_the_rate_are_waited_for_until_they_are_paid()
    {
        var rate = InputRate.Create(new RelayOptions { MaxBytesPerSecond = 1000 }, _time)!;
        rate.TakeBytes(3500);
        Assert.Equal(TimeSpan.FromSeconds(2.5), rate.Wait());
        _time.Advance(TimeSpan.FromSeconds(2.5));
        Assert.Equal(TimeSpan.Zero, rate.Wait());
    }

    [Fact]
    public async Task Beyond_the_rate_a_connection_is_not_read_and_loses_nothing()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.MaxMessagesPerSecond = 2);
        var client = await server.ConnectAsync(heartBeat: "1000,0");
        var timers = server.Time.TimersSet;
        for (var i = 0; i < 3; i++)
            await client.PublishAsync("/queue/a", $"{i}");

        (await broker.NextPublishAsync()).Take();
        (await broker.NextPublishAsync()).Take();
        Assert.Equal("2", (await HeldBack.NextAsync(server, broker, timers)).Body);
        // Lets it read on, and see that the client leaves.
        server.Time.Advance(TimeSpan.FromSeconds(1));
    }

    [Theory]
    [InlineData(5_000)]
    [InlineData(50)]
    public async Task Pings_count_as_bytes_also_where_something_is_heard_between_them(int between)
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.MaxBytesPerSecond = 10_000);
        var client = await server.ConnectAsync(heartBeat: "1000,0");
        var timers = server.Time.TimersSet;
        byte[] ping = [0x89, 0x80, 0, 0, 0, 0];
        byte[] heartBeat = [0x82, 0x81, 0, 0, 0, 0, (byte)'\n'];
        await client.ServerTransport.Peer.WriteAsync(
            Enumerable.Range(1, 5_000).SelectMany(i => i % between == 0 ? [.. ping, .. heartBeat] : ping).ToArray());
        await client.PublishAsync("/queue/a", "after");

        Assert.Equal("after", (await HeldBack.NextAsync(server, broker, timers)).Body);
        server.Time.Advance(TimeSpan.FromSeconds(1));
    }

    [Fact]
    public async Task Messages_sent_in_a_transaction_count_though_it_is_aborted()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.MaxMessagesPerSecond = 2);
        var client = await server.ConnectAsync(heartBeat: "1000,0");
        var timers = server.Time.TimersSet;
        await client.SendAsync("BEGIN\ntransaction:t\n\n\0");
        for (var i = 0; i < 2; i++)
            await client.PublishAsync("/queue/a", $"{i}", "transaction:t");
        await client.SendAsync("ABORT\ntransaction:t\n\n\0");
        await client.PublishAsync("/queue/a", "2");

        Assert.Equal("2", (await HeldBack.NextAsync(server, broker, timers)).Body);
        server.Time.Advance(TimeSpan.FromSeconds(1));
    }
}
