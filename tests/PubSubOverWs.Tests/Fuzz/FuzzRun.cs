using System.Diagnostics;
using System.Globalization;

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

/// <summary>The result of a run of one target.</summary>
/// <param name="Live">Bytes that were alive after each part of it; the first part fills caches and pools, and is not held against the
/// rest.</param>
internal sealed record FuzzFigures(string Target, string Unit, long Count, long Steps, TimeSpan Elapsed, IReadOnlyList<long> Live)
{
    /// <summary>More than this share of growth, from the end of the first part to the end of the last, is a leak.</summary>
    public const double MaxGrowth = 0.05;

    public double Growth => ((double)Live[^1] / Live[0]) - 1;

    public bool Leaks => Growth > MaxGrowth;

    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{Target,-9} {Count,12:N0} {Unit,-11} {Steps,11:N0} steps {Elapsed.TotalSeconds,8:N1} s {Count / Elapsed.TotalSeconds,9:N0}/s  "
            + $"live {Live[0]:N0} -> {Live[^1]:N0} bytes ({Growth:+0.0%;-0.0%}; {string.Join(" ", Live)})");
}

/// <summary>A step found something: its message says how to repeat it.</summary>
internal sealed class FuzzFailureException(string target, ulong seed, long step, Exception found)
    : Exception(
        $"{target}, seed {seed}, step {step}: {found.Message} Repeat it with --target {target} --seed {seed} --step {step}.", found);
