using System.Net.Sockets;
using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.EndToEndTests.Faults;

public sealed class CommandSchedulerTests : IAsyncLifetime
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private readonly ProxyRig _rig = new();
    private readonly CommandScheduler _book;

    public CommandSchedulerTests() => _book = new CommandScheduler(_rig.Proxy, _rig.Time);

    public Task InitializeAsync() => Task.CompletedTask;

    public async Task DisposeAsync()
    {
        await _book.DisposeAsync();
        await _rig.DisposeAsync();
    }

    [Fact]
    public async Task Orders_are_carried_out_when_they_are_due()
    {
        var (client, server) = await _rig.ConnectAsync();

        _book.Take([new(OrderKind.Refuse), new(OrderKind.Cut) { At = 10 * Second }, new(OrderKind.Accept) { At = 12 * Second }]);
        await Assert.ThrowsAsync<SocketException>(_rig.DialAsync);
        _rig.Time.Advance(9 * Second);
        await client.SendAsync("still"u8.ToArray());
        Assert.Equal("still"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 5));
        Assert.Equal(2, _book.State.Planned);

        _rig.Time.Advance(Second);
        Assert.Equal(SocketError.ConnectionReset, await ProxyRig.EndOfAsync(client));
        await Waiting.UntilAsync(() => _rig.Proxy.Counts.Open == 0);
        _rig.Time.Advance(2 * Second);
        await Waiting.UntilAsync(() => _book.State.Planned == 0);
        await _rig.ConnectAsync();

        var events = _book.State.Events;
        Assert.Equal([OrderKind.Refuse, OrderKind.Cut, OrderKind.Accept], events.Select(each => each.Do));
        Assert.Equal("1 of 1", events[1].Detail);
        Assert.Equal(10 * Second, _rig.Time.GetElapsedTime(events[0].Stamp, events[1].Stamp));
    }

    [Fact]
    public async Task Orders_of_one_time_are_carried_out_in_the_order_of_their_list()
    {
        OrderKind[] kinds = [OrderKind.Refuse, OrderKind.Cut, OrderKind.Stall, OrderKind.Accept, OrderKind.Resume];

        _book.Take([new(OrderKind.Toxics) { At = 6 * Second }, .. kinds.Select(kind => new ProxyOrder(kind) { At = 5 * Second })]);
        _rig.Time.Advance(5 * Second);
        await Waiting.UntilAsync(() => _book.State.Planned == 1);

        Assert.Equal(kinds, _book.State.Events.Select(each => each.Do));
    }

    [Fact]
    public async Task Calm_takes_everything_back_and_cancels_pending_orders()
    {
        _book.Take(
        [
            new(OrderKind.Toxics) { Toxics = [new LatencyToxic(TimeSpan.FromHours(1))] }, new(OrderKind.Stall), new(OrderKind.Refuse),
            new(OrderKind.Cut) { At = Second },
        ]);

        _book.Take([new(OrderKind.Calm)]);
        var (client, server) = await _rig.ConnectAsync();
        _rig.Time.Advance(2 * Second);
        await client.SendAsync("well"u8.ToArray());

        Assert.Equal("well"u8.ToArray(), await ProxyRig.ReceiveAsync(server, 4));
        Assert.DoesNotContain(_book.State.Events, each => each.Do == OrderKind.Cut);
        await Waiting.UntilAsync(() => _book.State.Planned == 0);
    }
}
