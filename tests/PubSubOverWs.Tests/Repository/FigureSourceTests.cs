using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>Pages that tell results: a section with a figure links to a record, or to what tells of one.</summary>
public sealed partial class FigureSourceTests
{
    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/results.md")]
    [InlineData("docs/evidence.md")]
    public void A_section_with_a_figure_links_to_the_record_that_shows_it(string page)
    {
        var sections = Heading().Split(Code().Replace(SourceTree.Read(page), "")).Where(IsFigure).ToArray();

        Assert.NotEmpty(sections);
        Assert.DoesNotContain(sections, section => !Source().IsMatch(section));
    }

    [Theory]
    [InlineData("It took 5 ms.", true)]
    [InlineData("A message of 1,000 users, of [this run](results/paper/x).", true)]
    [InlineData("By H1a and p99 over HTTP/2 with STOMP 1.2, as published (2015).", false)]
    [InlineData("See [decision 0041](docs/decisions/0041-x.md) and `--users 50`.", false)]
    public void A_figure_is_a_number_that_is_no_name(string sentence, bool isFigure) => Assert.Equal(isFigure, IsFigure(sentence));

    private static bool IsFigure(string sentence) => Number().IsMatch(NoFigure().Replace(sentence, ""));

    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Code();

    [GeneratedRegex(@"^(?=#)", RegexOptions.Multiline)]
    private static partial Regex Heading();

    [GeneratedRegex(@"\]\((\.\./)?(results|loadtest/PubSubOverWs\.LoadTest/Experiments/\w+/[\w-]+\.json|docs/results\.md)\b")]
    private static partial Regex Source();

    [GeneratedRegex(@"\d")]
    private static partial Regex Number();

    // Code, versions, targets of links, decisions, addresses, hypotheses, percentiles, exit codes, years, and the number of an item.
    [GeneratedRegex(
        @"`[^`]*`|SDK\]\([^)]*\) \d+|\]\([^)]*\)|\[decision\s\d+|\[\d{4}|https?://\S+|HTTP/\d(\.\d)?|exit code \d+"
            + @"|STOMP \d\.\d|\bH[123][ab]?|\bp\d\d|\((19|20)\d\d\)|^\s*\d+\. ")]
    private static partial Regex NoFigure();
}

/// <summary>
/// Tables of pages that are behind a marker. To make them again after a change of records:
/// <c>PAGE_TABLES=write dotnet test tests/PubSubOverWs.Tests --filter PageTableTests</c>.
/// </summary>
public sealed class PageTableTests
{
    public static TheoryData<string> Pages =>
        [.. SourceTree.Files("", ".md").Where(path => SourceTree.Read(path).Contains("<!-- table of ", StringComparison.Ordinal))];

    [Theory]
    [MemberData(nameof(Pages))]
    public void A_table_of_a_page_is_what_the_reports_have(string page)
    {
        var filled = PageTable.Fill(page);
        if (Environment.GetEnvironmentVariable("PAGE_TABLES") == "write")
            File.WriteAllText(Path.Combine(SourceTree.Root, page), filled);
        Assert.Equal(SourceTree.Read(page), filled);
    }
}
