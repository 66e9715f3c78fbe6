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
        await Waiting.UntilAsync(() => server.Time.TimersSet != timers);
        Assert.False(next.IsCompleted);
        return await next.WhileAsync(() => server.Time.Advance(TimeSpan.FromMilliseconds(50)));
    }
}
