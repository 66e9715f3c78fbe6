namespace PubSubOverWs.Experiment.Documents;

/// <summary>What the page's style calls an arm.</summary>
internal static class ArmStyle
{
    public const string First = "first";

    public const string Second = "second";

    public const string Other = "floor";
}
