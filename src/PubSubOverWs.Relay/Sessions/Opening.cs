namespace PubSubOverWs.Relay;

/// <summary>What comes before a connection is served (docs/decisions/0202).</summary>
internal static class Opening
{
    /// <summary>
    /// Goes on when the first is done. It usually is: then nothing more waits for as long as the connection is there than what serves it.
    /// </summary>
    /// <param name="first">If it fails, nothing follows.</param>
    /// <param name="next">What serves the connection.</param>
    public static Task Then<T>(this Task<T> first, Func<T, Task> next) =>
        first.IsCompletedSuccessfully ? next(first.Result) : WaitAsync(first, next);

    private static async Task WaitAsync<T>(Task<T> first, Func<T, Task> next)
    {
        var result = await first;
        // It would keep its result for as long.
        first = null!;
        await next(result);
    }
}
