using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Transport;

public sealed class TakenConnectionsTests
{
    private readonly FakeTime _time = new();

    [Fact]
    public async Task The_end_waits_for_the_last()
    {
        var taken = new TakenConnections(_time);
        taken.Enter();
        taken.Enter();
        taken.Leave();
        var ended = taken.EndAsync();
        Assert.False(ended.IsCompleted);

        taken.Leave();

        await ended.Patiently();
    }

    [Fact]
    public async Task The_end_waits_a_second_and_no_longer()
    {
        var taken = new TakenConnections(_time);
        taken.Enter();
        var ended = taken.EndAsync();
        _time.Advance(TimeSpan.FromMilliseconds(999));
        Assert.False(ended.IsCompleted);

        _time.Advance(TimeSpan.FromMilliseconds(1));

        await ended.Patiently();
    }
}
