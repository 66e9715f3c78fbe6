using PubSubOverWs.LoadTest.Kills;
using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Pairs;

namespace PubSubOverWs.Tests.LoadTest.Kills;

public sealed class ComebackTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public async Task A_client_tries_until_it_is_let_in_and_waits_before_it_comes_back()
    {
        var attempts = 0;
        var comeback = new Comeback(new Backoff(new Random(1), TimeSpan.Zero), _time);
        Task<int> ConnectAsync() => comeback.ConnectAsync(
            () => ++attempts < 4 ? Task.FromException<int>(new ChildException("away", ChildException.Unreachable)) : Task.FromResult(attempts), CancellationToken.None);

        var first = ConnectAsync();
        Assert.Equal(1, attempts);
        await PassAsync(first);
        var second = ConnectAsync();
        Assert.Equal(4, attempts);
        await PassAsync(second);

        Assert.Equal((4, 5), (await first, await second));
    }

    private async Task PassAsync(Task connected)
    {
        while (!connected.IsCompleted)
        {
            _time.Advance(TimeSpan.FromMilliseconds(500));
            await Task.Yield();
        }
    }
}
