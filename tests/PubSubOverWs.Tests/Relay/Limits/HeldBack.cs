namespace PubSubOverWs.Tests.Relay.Limits;

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
        while (server.Time.TimersSet == timers)
            await Task.Yield();
        Assert.False(next.IsCompleted);
        while (!next.IsCompleted)
        {
            server.Time.Advance(TimeSpan.FromMilliseconds(50));
            await Task.Yield();
        }
        return await next;
    }
}
