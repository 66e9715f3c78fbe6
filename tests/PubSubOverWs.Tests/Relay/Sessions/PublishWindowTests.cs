using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Sessions;

public sealed class PublishWindowTests
{
    [Fact]
    public async Task No_more_publishes_are_under_way_than_the_window_holds_and_the_socket_is_not_read_meanwhile()
    {
        const int window = 8, total = 200, bodyBytes = 4000;
        await using var server = FakeBroker.Serve(out var broker, options => options.PublishesUnderWay = window);
        var client = await server.ConnectAsync();
        var (underWay, maxUnderWay, mostAhead, published) = (0, 0, 0L, 0);
        broker.OnPublish = _ =>
        {
            maxUnderWay = Math.Max(maxUnderWay, Interlocked.Increment(ref underWay));
            mostAhead = Math.Max(mostAhead, client.ServerTransport.BytesRead - ++published * (long)bodyBytes);
        };

        for (var i = 0; i < total; i++)
            await client.PublishAsync("/queue/a", new string('x', bodyBytes), $"receipt:{i}");
        for (var i = 0; i < total; i++)
        {
            var publish = await broker.NextPublishAsync();
            Interlocked.Decrement(ref underWay);
            publish.Take();
            await client.ReceiveReceiptAsync($"{i}");
        }

        Assert.Equal(window, maxUnderWay);
        Assert.InRange(mostAhead, 0, 2 * bodyBytes + total * 100);
    }

    [Fact]
    public async Task A_full_window_is_idle_again_when_all_have_their_outcome()
    {
        var window = new PublishWindow(2, Memory());
        var (first, second) = (new FakePublish([]), new FakePublish([]));
        Start(window, first);
        Start(window, second);
        Assert.True(window.IsFull);
        var (room, idle) = (window.RoomAsync(), window.IdleAsync());

        first.Take();
        await room.Patiently();
        Assert.False(window.IsFull);
        Assert.False(idle.IsCompleted);
        second.Take();

        await idle.Patiently();
        Assert.True(window.RoomAsync().IsCompleted);
        Assert.True(window.IdleAsync().IsCompleted);
    }

    [Fact]
    public async Task No_outcome_is_miscounted_when_many_threads_complete_while_one_starts()
    {
        var window = new PublishWindow(64, Memory());
        var told = 0;
        for (var i = 0; i < 20_000; i++)
        {
            while (window.IsFull)
                await window.RoomAsync().Patiently();
            var publish = new FakePublish([]);
            window.Start(publish.Outcome, 100, _ => Interlocked.Increment(ref told), Unexpected, Unexpected);
            ThreadPool.UnsafeQueueUserWorkItem(static publish => publish.Take(), publish, preferLocal: false);
        }
        await window.IdleAsync().Patiently();

        Assert.Equal(20_000, told);
        Fill(window, 64);
        Assert.True(window.IsFull);
    }

    private static void Fill(PublishWindow window, int count)
    {
        for (var i = 0; i < count; i++)
        {
            Assert.False(window.IsFull);
            Start(window, new FakePublish([]));
        }
    }

    private static void Start(PublishWindow window, FakePublish publish) =>
        window.Start(publish.Outcome, 100, _ => { }, Unexpected, Unexpected);

    private static MemoryReservation Memory() => new(new MemoryBudget(1 << 22));

    private static void Unexpected(Exception exception) => Assert.Fail(exception.Message);
}
