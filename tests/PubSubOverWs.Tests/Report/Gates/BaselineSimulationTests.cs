using MathNet.Numerics.Distributions;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Gates;
using PubSubOverWs.Report.Metrics;

namespace PubSubOverWs.Tests.Report.Gates;

/// <summary>
/// How often a gate is wrong where blocks differ as much as the iterations in them: two runs of five blocks of three, drawn again and
/// again.
/// </summary>
public sealed class BaselineSimulationTests
{
    private const int Draws = 4_000;
    private const double Alpha = 0.05;

    // 5 % of 4,000 draws, and three standard deviations of a binomial.
    private static readonly double Most = (Alpha * Draws) + (3 * Math.Sqrt(Alpha * (1 - Alpha) * Draws));

    [Fact]
    public void Exactly_on_its_limit_a_gate_fails_and_passes_in_at_most_5_of_100_cases_each_and_iterations_alone_in_many_more()
    {
        var random = new Random(2015);
        var (failed, passed, byIterationsAlone) = (0, 0, 0);
        for (var i = 0; i < Draws; i++)
        {
            var (before, after) = (Sample(random, 100), Sample(random, 110));
            var iterations = OneSided.Of(before.Iterations.Scaled(1.1, 0), after.Iterations);
            var blocks = OneSided.Of(before.Blocks.Scaled(1.1, 0), after.Blocks);
            failed += iterations.Above < Alpha && blocks.Above < Alpha ? 1 : 0;
            passed += iterations.Below < Alpha && blocks.Below < Alpha ? 1 : 0;
            byIterationsAlone += iterations.Above < Alpha ? 1 : 0;
        }

        Assert.InRange(failed, 1, Most);
        Assert.InRange(passed, 1, Most);
        Assert.True(byIterationsAlone > 2 * Most, $"{byIterationsAlone} of {Draws}");
    }

    private static LevelSample Sample(Random random, double mean)
    {
        var readings = new List<Reading>();
        for (var block = 1; block <= 5; block++)
        {
            var process = Normal.Sample(random, mean, 2);
            for (var i = 0; i < 3; i++)
                readings.Add(new Reading(block, readings.Count + 1, Normal.Sample(random, process, 2)));
        }

        return new LevelSample(readings);
    }
}
