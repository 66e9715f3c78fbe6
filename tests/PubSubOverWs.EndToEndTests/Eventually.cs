namespace PubSubOverWs.EndToEndTests;

/// <summary>Waits for what another process does: a test fails when it does not come, and does not hang.</summary>
internal static class Eventually
{
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    public static Task HoldsAsync(Func<bool> condition) => HoldsAsync(() => Task.FromResult(condition()));

    public static async Task HoldsAsync(Func<Task<bool>> condition)
    {
        using var patience = new CancellationTokenSource(Patience);
        while (!await condition())
        {
            Assert.False(patience.IsCancellationRequested, $"What was waited for did not come within {Patience.TotalSeconds} s.");
            await Task.Yield();
        }
    }
}
