using System.Text.Json.Serialization;

namespace PubSubOverWs.Experiment.Published;

/// <summary>One row of Table II, III or IV.</summary>
/// <param name="Users">The level.</param>
/// <param name="Direct">Group 1.</param>
/// <param name="PubSub">Group 2.</param>
/// <param name="P">The printed p; null where the paper prints none, and <paramref name="PText"/> says what it does print.</param>
/// <param name="PText">For example <c>&lt; 0.05</c>.</param>
public sealed record PublishedRow(
    int Users, PublishedArm Direct, [property: JsonPropertyName("pubsub")] PublishedArm PubSub, Printed? P, string? PText)
{
    /// <summary>pubsub/direct of the printed means.</summary>
    public double Ratio => PubSub.Mean.Value / Direct.Mean.Value;

    /// <summary>At the paper's alpha of 0.05.</summary>
    public bool Significant => P is { } p ? p.Value < 0.05 : PText == "< 0.05";
}
