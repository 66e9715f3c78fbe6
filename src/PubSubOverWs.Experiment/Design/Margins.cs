namespace PubSubOverWs.Experiment.Design;

/// <summary>Within what two runs of a scenario are equivalent. Null: no margin was set, and nothing is shown to be equivalent.</summary>
/// <param name="Latency">Of mean latency.</param>
/// <param name="Bytes">Of bytes to clients per delivered message.</param>
/// <param name="Loss">Of the loss rate.</param>
public sealed record Margins(Margin? Latency = null, Margin? Bytes = null, Margin? Loss = null)
{
    public static Margins None { get; } = new();
}
