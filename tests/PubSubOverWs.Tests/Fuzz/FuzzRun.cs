using System.Diagnostics;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>Steps of one target, one after the other, until enough was tried.</summary>
internal static class FuzzRun
{
    // A step takes milliseconds: only one that hangs takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    /// <summary>After each of them it is read how much is alive.</summary>
    private const int Parts = 5;

    /// <param name="count">Units.</param>
    /// <param name="live">Reads how many bytes are alive (<see cref="LiveBytes"/>); null: that is not read.</param>
    /// <exception cref="FuzzFailureException">A step failed, or did not end.</exception>
    public static async Task<FuzzFigures> RunAsync(IFuzzTarget target, ulong seed, long count, Func<Task<long>>? live = null)
    {
        var clock = new Stopwatch();
        var (done, step) = (0L, 0L);
        List<long> alive = [];
        for (var part = 1; part <= Parts; part++)
        {
            clock.Start();
            while (done < count * part / Parts)
                done += await StepAsync(target, seed, step++);
            clock.Stop();
            if (live is not null)
                alive.Add(await live());
        }
        return new FuzzFigures(target.Name, target.Unit, done, step, clock.Elapsed, alive);
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
}
