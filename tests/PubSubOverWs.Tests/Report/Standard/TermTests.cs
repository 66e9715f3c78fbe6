using PubSubOverWs.Report;
using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Standard.Sections;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Report.Standard;

public sealed class TermTests
{
    [Fact]
    public void Every_term_that_a_report_explains_is_one_of_the_glossary() => Assert.All(
        TermSection.Terms, term => Assert.Contains(SourceTree.Lines("docs/reference/glossary.md"), line => line == $"### {term.Name}"));

    [Fact]
    public void The_first_use_of_a_term_links_to_the_list_of_terms_and_tables_and_verbatim_lists_stay_as_they_are()
    {
        Block[] blocks =
        [
            new Paragraph("Two arms and the noise floor of a set-up, never below the floor of the set-up."),
            new BulletList(["n counts iterations of an arm."]),
            new BulletList(["Blocks are judged."], IsVerbatim: true),
            new Table(["R"], [["1.5"]]),
        ];

        Assert.Equal(
            "Two [arms](#terms) and the [noise floor](#terms) of a set-up, never below the [floor of the set-up](#terms).\n\n"
                + "- [n](#terms) counts iterations of an arm.\n\n- Blocks are judged.\n\n| R |\n| --- |\n| 1.5 |\n\n## Terms\n\n",
            Before(MarkdownText.Write(TermSection.Linked(blocks)), "- **"));
    }

    [Fact]
    public void Links_of_a_report_lead_to_its_terms_in_Markdown_and_in_HTML()
    {
        var report = ReportFolder.Make(SmallRun.Folder);

        Assert.Contains("\n## Terms\n", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("[n](#terms) counts iterations", report.Markdown, StringComparison.Ordinal);
        Assert.Contains("<h2 id=\"terms\">Terms</h2>", report.Html, StringComparison.Ordinal);
        Assert.Contains("<a href=\"#terms\">", report.Html, StringComparison.Ordinal);
    }

    private static string Before(string text, string end) => text[..text.IndexOf(end, StringComparison.Ordinal)];
}
