using PubSubOverWs.LoadTest.Harness.Network;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class ChurnToxicTests
{
    private static readonly ChurnToxic Churn = new(Passed.Seconds(10));

    [Fact]
    public void Connections_that_are_there_are_cut_at_a_phase_that_is_uniform()
    {
        var phases = Enumerable.Range(0, 10_000).Select(connection => CutOf(connection, at: 100, atOpening: false) - 100).ToArray();

        Assert.All(phases, phase => Assert.InRange(phase, 0, 10));
        for (var tenth = 0; tenth < 10; tenth++)
            Assert.InRange(phases.Count(phase => (int)phase == tenth), 880, 1120); // Four standard deviations around 1,000.
    }

    [Fact]
    public void A_connection_that_comes_later_lasts_the_whole_time() => Assert.Equal(110, CutOf(connection: 1, at: 100, atOpening: true));

    [Fact]
    public void Phases_belong_to_the_seed_and_the_connection()
    {
        Assert.Equal(CutOf(7, 0, atOpening: false), CutOf(7, 0, atOpening: false));
        Assert.NotEqual(CutOf(7, 0, atOpening: false), CutOf(8, 0, atOpening: false));
        Assert.NotEqual(CutOf(7, 0, atOpening: false), CutOf(7, 0, atOpening: false, seed: 2));
    }

    [Fact]
    public void A_client_that_stays_away_two_seconds_of_ten_is_away_a_sixth_of_the_time()
    {
        const double Away = 2, End = 10_000;
        double online = 0;
        for (var client = 0; client < 100; client++)
        {
            double at = 0;
            for (var cut = CutOf(client, at, atOpening: false); at < End; cut = CutOf(client, at, atOpening: true))
            {
                online += Math.Min(cut, End) - at;
                at = cut + Away;
            }
        }

        Assert.Equal(10d / 12, online / (100 * End), tolerance: 0.001);
    }

    private static double CutOf(long connection, double at, bool atOpening, long seed = 1) =>
        ConnectionToxics.Draw(new ToxicSet([Churn], seed), connection, Passed.Seconds(at), atOpening).ResetAt!.Value.TotalSeconds;
}
