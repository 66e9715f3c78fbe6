using PubSubOverWs.Experiment.Metrics;

namespace PubSubOverWs.Experiment.Claims;

/// <summary>What docs/method.md asks of every row that is judged.</summary>
public static class Decision
{
    /// <summary>Of every test that judges.</summary>
    public const double Alpha = 0.05;

    /// <summary>Below this many iterations of an arm nothing is judged.</summary>
    public const int LeastCount = 20;

    /// <summary>True: the row has iterations and blocks enough for a verdict.</summary>
    public static bool IsJudged(Comparison row) => row.Count >= LeastCount && row.IsByBlocks;
}
