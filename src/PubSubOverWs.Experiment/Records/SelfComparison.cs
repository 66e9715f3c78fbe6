namespace PubSubOverWs.Experiment.Records;

/// <summary>What an A/A run found: how far two separately started instances of one server seem to differ.</summary>
/// <param name="Server">direct or pubsub.</param>
/// <param name="Tests">Rows of loss, mean latency and bytes per delivered message that could be tested; arms of the same mean and variance
/// cannot be told apart.</param>
/// <param name="Rejections">How many of them Welch's test rejects at 0.05, uncorrected.</param>
/// <param name="MostRejections">So many are still chance: 4 of 18. More fail the set-up.</param>
/// <param name="Loss">The largest difference of loss rates over the levels, in percentage points; null: there is none.</param>
/// <param name="Latency">The largest |R - 1| of mean latencies over the levels; null: there is no ratio.</param>
/// <param name="Bytes">The largest |R - 1| of bytes to clients per delivered message; null: there is no ratio.</param>
public sealed record SelfComparison(
    string Server, int Tests, int Rejections, int MostRejections, double? Loss, double? Latency, double? Bytes)
{
    /// <summary>The A/A criterion. A run in which nothing could be tested shows nothing, and does not pass.</summary>
    public bool Passes => Tests > 0 && Rejections <= MostRejections;
}
