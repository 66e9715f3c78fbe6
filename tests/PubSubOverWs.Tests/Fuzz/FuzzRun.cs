using System.Diagnostics;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>Steps of one target, one after the other, until enough was tried.</summary>
internal static class FuzzRun
{
    // A step takes milliseconds: only one that hangs takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>The first part of a run fills caches and pools, and is not held against the rest.</summary>
    private const int WarmUpPart = 10;

    /// <param name="count">Units.</param>
    /// <exception cref="FuzzFailureException">A step failed, or did not end.</exception>
    public static async Task<FuzzFigures> RunAsync(IFuzzTarget target, ulong seed, long count)
    {
        var clock = Stopwatch.StartNew();
        var (done, step) = (0L, 0L);
        long? before = null;
        while (done < count)
        {
            if (before is null && done >= count / WarmUpPart)
                before = LiveBytes();
            done += await StepAsync(target, seed, step++);
        }
        var elapsed = clock.Elapsed;
        return new FuzzFigures(target.Name, target.Unit, done, step, elapsed, before ?? LiveBytes(), LiveBytes());
    }

    /// <exception cref="FuzzFailureException">It failed, or did not end.</exception>
    public static async Task<int> StepAsync(IFuzzTarget target, ulong seed, long step)
    {
        try
        {
            // On another thread: what goes round in a circle is found too.
            return await Task.Run(() => target.StepAsync(new Draw(seed, step))).WaitAsync(Patience);
        }
        catch (Exception found)
        {
            throw new FuzzFailureException(target.Name, seed, step, found);
        }
    }

    private static long LiveBytes() => GC.GetTotalMemory(forceFullCollection: true);
}
