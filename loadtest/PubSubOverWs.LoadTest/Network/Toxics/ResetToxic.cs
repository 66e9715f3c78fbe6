namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>The connection is reset (RST): what is under way in either direction is lost. One reset for each connection.</summary>
/// <param name="After">From when the toxic befell the connection: 0 s to 1 day.</param>
/// <param name="Jitter">The time of each is drawn evenly from <paramref name="After"/> - Jitter to <paramref name="After"/> + Jitter: 0 s
/// to After.</param>
/// <remarks>A direction says who sees the reset: to-client the client, and the server an ordinary close.</remarks>
public sealed record ResetToxic(TimeSpan After, TimeSpan Jitter = default) : Toxic
{
    public override TimeSpan? ResetAt(ToxicContext context) => context.Now + After + (Jitter * ((2 * context.Random.NextDouble()) - 1));

    protected override string? FindFaultOfValues() => After >= TimeSpan.Zero && After <= Longest && Jitter >= TimeSpan.Zero
        && Jitter <= After
        ? null
        : "reset: after is from 0 s to 1 day, and the jitter from 0 s to after.";
}
