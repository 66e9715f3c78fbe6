using PubSubOverWs.LoadTest.Kills;
using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.Tests.LoadTest.Kills;

public sealed class BackoffTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public void Waits_are_drawn_below_a_bound_that_doubles_up_to_half_a_second()
    {
        var backoff = new Backoff(new Random(1), _time);

        for (var attempt = 1; attempt < 100; attempt++)
            Assert.InRange(backoff.WaitAfter(attempt), TimeSpan.Zero, TimeSpan.FromMilliseconds(Math.Min(500, 20 * Math.Pow(2, attempt - 1))));
    }

    [Fact]
    public void The_same_seed_waits_as_long() =>
        Assert.Equal(new Backoff(new Random(7), _time).WaitAfter(3), new Backoff(new Random(7), _time).WaitAfter(3));

    [Fact]
    public async Task A_client_tries_until_it_is_let_in()
    {
        var attempts = 0;
        var connected = new Backoff(new Random(1), _time).ConnectAsync(
            () => ++attempts < 4 ? Task.FromException<int>(new ChildException("away", ChildException.Unreachable)) : Task.FromResult(attempts), CancellationToken.None);

        while (!connected.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMilliseconds(500));
            await Task.Yield();
        }

        Assert.Equal(4, await connected);
    }
}
