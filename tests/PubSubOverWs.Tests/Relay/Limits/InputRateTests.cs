using System.Net;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class InputRateTests
{
    private static readonly IPAddress Here = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress There = IPAddress.Parse("192.0.2.2");

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

    [Fact]
    public void Without_a_bound_there_is_no_rate_and_no_address_is_remembered()
    {
        var rates = new AddressRates(new RelayOptions { MaxMessagesPerSecond = 1 }, _time);
        Assert.Null(rates.Enter(Here));
        rates.Leave(Here);
        Assert.Equal(0, rates.Count);
    }

    [Fact]
    public void Connections_of_one_address_share_its_messages_and_another_address_has_its_own()
    {
        var options = new RelayOptions { MaxMessagesPerSecondPerAddress = 10 };
        var rates = new AddressRates(options, _time);
        var (first, second, other) = (Of(rates.Enter(Here)), Of(rates.Enter(Here)), Of(rates.Enter(There)));

        first.TakeMessages(4);
        second.TakeMessages(6);

        Assert.Equal((TimeSpan.FromSeconds(0.1), TimeSpan.FromSeconds(0.1), TimeSpan.Zero), (first.Wait(), second.Wait(), other.Wait()));
        _time.Advance(TimeSpan.FromSeconds(0.1));
        Assert.Equal((TimeSpan.Zero, TimeSpan.Zero), (first.Wait(), second.Wait()));

        InputRate Of(InputRate? ofAddress) => InputRate.Create(options, _time, ofAddress)!;
    }

    [Fact]
    public void A_connection_waits_for_the_slower_of_its_own_rate_and_that_of_its_address()
    {
        var options = new RelayOptions { MaxBytesPerSecond = 1000, MaxBytesPerSecondPerAddress = 1500 };
        var rates = new AddressRates(options, _time);
        var (first, second) = (InputRate.Create(options, _time, rates.Enter(Here))!, InputRate.Create(options, _time, rates.Enter(Here))!);

        first.TakeBytes(3000);

        Assert.Equal((TimeSpan.FromSeconds(2), TimeSpan.FromSeconds(1)), (first.Wait(), second.Wait()));
    }

    [Fact]
    public void An_address_that_leaves_and_returns_still_owes_and_is_forgotten_when_that_is_paid()
    {
        var rates = new AddressRates(new RelayOptions { MaxBytesPerSecondPerAddress = 1000 }, _time);
        rates.Enter(Here)!.TakeBytes(3000);
        rates.Leave(Here);
        Assert.Equal(TimeSpan.FromSeconds(2), rates.Enter(Here)!.Wait());
        rates.Leave(Here);

        _time.Advance(TimeSpan.FromSeconds(3));
        rates.Enter(There);

        Assert.Equal(1, rates.Count);
    }

    [Fact]
    public void Addresses_that_left_are_remembered_up_to_a_bound_and_the_oldest_is_forgotten_first()
    {
        var rates = new AddressRates(new RelayOptions { MaxBytesPerSecondPerAddress = 1000 }, _time);
        for (var i = 0; i <= AddressRates.MaxThatLeft; i++)
        {
            rates.Enter(new IPAddress(i))!.TakeBytes(3000);
            rates.Leave(new IPAddress(i));
        }

        Assert.Equal(AddressRates.MaxThatLeft, rates.Count);
        Assert.Equal(TimeSpan.Zero, rates.Enter(new IPAddress(0))!.Wait());
        Assert.Equal(TimeSpan.FromSeconds(2), rates.Enter(new IPAddress(1))!.Wait());
    }

    [Fact]
    public async Task Beyond_the_rate_of_an_address_none_of_its_connections_is_read_and_none_loses_anything()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.MaxMessagesPerSecondPerAddress = 2);
        var (first, second) = (await server.ConnectAsync(heartBeat: "1000,0"), await server.ConnectAsync(heartBeat: "1000,0"));
        var timers = server.Time.TimersSet;

        await first.PublishAsync("/queue/a", "0");
        (await broker.NextPublishAsync()).Take();
        await second.PublishAsync("/queue/a", "1");
        (await broker.NextPublishAsync()).Take();
        await second.PublishAsync("/queue/a", "2");

        Assert.Equal("2", (await HeldBack.NextAsync(server, broker, timers)).Body);
        // Lets them read on, and see that the clients leave.
        server.Time.Advance(TimeSpan.FromSeconds(2));
    }
}

/// <summary>A publish that a rate holds back.</summary>
internal static class HeldBack
{
    /// <summary>The next publish does not come as time stands, and comes when it goes on.</summary>
    /// <param name="server">Whose time it is.</param>
    /// <param name="broker">To which it comes.</param>
    /// <param name="timers">Set before anything was sent: one more means that a socket is not read.</param>
    public static async Task<FakePublish> NextAsync(RelayHarness server, FakeBroker broker, int timers)
    {
        var next = broker.NextPublishAsync();
        await Waiting.UntilAsync(() => server.Time.TimersSet != timers);
        Assert.False(next.IsCompleted);
        return await next.WhileAsync(() => server.Time.Advance(TimeSpan.FromMilliseconds(50)));
    }
}
