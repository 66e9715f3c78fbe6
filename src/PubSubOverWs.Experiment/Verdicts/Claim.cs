using PubSubOverWs.Experiment.Published;

namespace PubSubOverWs.Experiment.Verdicts;

/// <summary>What the paper says of one row, as a ratio that can be held against a measured one.</summary>
/// <param name="Ratio">Published pubsub/direct.</param>
/// <param name="Significant">The paper calls the difference significant.</param>
/// <param name="Margin">Within 1 - margin to 1 + margin a ratio is as good as 1.</param>
public sealed record Claim(double Ratio, bool Significant, double Margin)
{
    /// <summary>
    /// Bytes to clients per delivered message. The published bandwidth ratio over the ratio of delivered messages is 0.9917 to 1.0058: per
    /// delivered message the published increase vanishes.
    /// </summary>
    public static Claim BytesPerDelivered { get; } = new(1, false, 0.004);

    /// <summary>Half the published effect where that is significant, else 1 %.</summary>
    public static Claim Latency(PublishedRow published) =>
        new(published.Ratio, published.Significant, published.Significant ? 0.5 * Math.Abs(published.Ratio - 1) : 0.01);
}
