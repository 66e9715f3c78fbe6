using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Experiment.Documents;

/// <summary>What the page's style calls an arm: the first and the second of those compared look the same in every report.</summary>
internal static class ArmStyle
{
    public const string First = "first";

    public const string Second = "second";

    public static string Of(string arm, (string First, string Second) compared) => arm switch
    {
        _ when arm == compared.First => First,
        _ when arm == compared.Second => Second,
        _ => Arms.Floor,
    };
}
