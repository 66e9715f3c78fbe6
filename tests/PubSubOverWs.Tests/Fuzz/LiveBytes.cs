using System.Diagnostics;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>Bytes of objects that no collection takes away.</summary>
internal static class LiveBytes
{
    private static readonly TimeSpan Period = TimeSpan.FromSeconds(1);

    // What a single collection hands to the finalizers the next one frees.
    private const int Alike = 3;

    // Falls by less than a thousandth are no falls.
    private const long Grain = 1000;

    /// <summary>The least of collections that are forced again and again until it falls no more.</summary>
    /// <param name="rest">For how long it must not have fallen; zero: it is read once.</param>
    public static async Task<long> ReadAsync(TimeSpan rest)
    {
        var (least, since) = (Read(), Stopwatch.GetTimestamp());
        while (Stopwatch.GetElapsedTime(since) < rest)
        {
            await Task.Delay(Period, TimeProvider.System, CancellationToken.None);
            var live = Read();
            if (live < least - (least / Grain))
                since = Stopwatch.GetTimestamp();
            least = Math.Min(least, live);
        }
        return least;
    }

    private static long Read()
    {
        var least = long.MaxValue;
        for (var alike = 0; alike < Alike; alike++)
        {
            GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: true);
            GC.WaitForPendingFinalizers();
            // As the collection left it: the total of the process has the rest of the 8 KiB that each thread takes to allocate in.
            var memory = GC.GetGCMemoryInfo(GCKind.FullBlocking);
            var live = memory.HeapSizeBytes - memory.FragmentedBytes;
            if (live < least)
                (least, alike) = (live, 0);
        }
        return least;
    }
}
