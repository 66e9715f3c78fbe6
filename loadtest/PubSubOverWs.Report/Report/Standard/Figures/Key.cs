using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Report.Standard.Figures;

/// <summary>Samples of marks for the legend of a figure, each 16 wide and 12 high.</summary>
internal static class Key
{
    // The longest name that fits beside a bar, such as that of an A/A arm.
    private const int LongestShort = 8;

    /// <summary>Both arms, by their names.</summary>
    public static IReadOnlyList<(XElement Mark, string Text)> Both(
        Contrast compared, string text = "", string style = "") =>
        [Of(ArmStyle.First, compared.First + text, style), Of(ArmStyle.Second, compared.Second + text, style)];

    /// <summary>The other arms.</summary>
    public static IReadOnlyList<(XElement Mark, string Text)> Others(IEnumerable<string> arms, Contrast compared) =>
        [.. arms.Distinct().Where(arm => arm != compared.First && arm != compared.Second && arm != Arm.Floor.Name)
            .Select(arm => Of(StyleOf(arm, compared), arm))];

    /// <summary>The style of an arm: the first and the second of those compared look the same in every report.</summary>
    public static string StyleOf(string arm, Contrast compared) =>
        arm == compared.First ? ArmStyle.First : arm == compared.Second ? ArmStyle.Second : ArmStyle.Other;

    /// <summary>True: the name of an arm does not fit beside a bar.</summary>
    public static bool IsLong(string arm) => arm.Length > LongestShort;

    public static (XElement Mark, string Text) Of(string kind, string text, string style = "") => (Svg.Mark(kind, 8, 6, 4, style), text);

    public static (XElement Mark, string Text) Box(string style, string text) => (Svg.Rectangle(0, 0, 16, 12, style), text);
}
