namespace PubSubOverWs.Experiment.Documents;

/// <summary>A report as it grows, in Markdown or in HTML. Two asterisks before and behind a text make it stand out in both.</summary>
internal interface IReportText
{
    /// <param name="level">1 for the title, 2 for a section, 3 for what is in it.</param>
    /// <param name="text">The heading.</param>
    IReportText Heading(int level, string text);

    IReportText Paragraph(string text);

    IReportText List(IEnumerable<string> items);

    /// <summary>A table; nothing where there are no rows.</summary>
    IReportText Table(IReadOnlyList<string> columns, IEnumerable<IReadOnlyList<string>> rows);
}
