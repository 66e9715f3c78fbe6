using System.Xml.Linq;

namespace PubSubOverWs.Experiment.Documents;

/// <summary>Drawings that say one thing, and the tables that say it too.</summary>
/// <param name="Id">Unique in the page.</param>
/// <param name="Title">What it shows.</param>
/// <param name="Caption">How to read it.</param>
/// <param name="Keys">A sample of each mark, and what it stands for.</param>
/// <param name="Drawings">At least one.</param>
/// <param name="Tables">Every number that is drawn.</param>
internal sealed record Figure(
    string Id,
    string Title,
    string Caption,
    IReadOnlyList<(XElement Mark, string Text)> Keys,
    IReadOnlyList<XElement> Drawings,
    IReadOnlyList<FigureTable> Tables);

/// <summary>What a figure draws, as a table.</summary>
/// <param name="Title">What is in it.</param>
/// <param name="Columns">Their headings.</param>
/// <param name="Rows">As many cells each as there are columns.</param>
internal sealed record FigureTable(string Title, IReadOnlyList<string> Columns, IReadOnlyList<IReadOnlyList<string>> Rows);

/// <summary>What the page's style calls an arm.</summary>
internal static class ArmStyle
{
    public const string First = "first";

    public const string Second = "second";

    public const string Other = "floor";
}
