using System.Text.RegularExpressions;

namespace PubSubOverWs.Tests.Repository;

/// <summary>
/// Figures of the pages that tell results: each sentence, and each row of a table, stands between markers that name the records which show
/// it, or links to one. A sentence about settings may link to the scenario.
/// </summary>
public sealed partial class FigureSourceTests
{
    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/results.md")]
    public void A_sentence_with_a_figure_says_which_record_shows_it(string page) => Assert.DoesNotContain(
        Parts(page).Where(part => part.Records is null).SelectMany(part => EndOfSentence().Split(part.Text)),
        sentence => IsFigure(sentence) && !Source().IsMatch(sentence));

    [Theory]
    [InlineData("README.md")]
    [InlineData("docs/results.md")]
    public void Markers_name_records_that_are_there(string page)
    {
        var named = Parts(page).Select(part => part.Records).OfType<string>().Distinct().ToArray();
        Assert.NotEmpty(named);
        Assert.All(named.SelectMany(records => records.Split(' ', StringSplitOptions.RemoveEmptyEntries)), record =>
            Assert.True(
                record.StartsWith("results/", StringComparison.Ordinal) && Path.Exists(Path.Combine(SourceTree.Root, record)), record));
    }

    [Theory]
    [InlineData("It took 5 ms.", true)]
    [InlineData("A message of 1,000 users, of [this run](results/paper/x).", true)]
    [InlineData("By H1a and p99 over HTTP/2 with STOMP 1.2, as published (2015).", false)]
    [InlineData("See [decision 0041](docs/decisions/0041-x.md) and `--users 50`.", false)]
    public void A_figure_is_a_number_that_is_no_name(string sentence, bool isFigure) => Assert.Equal(isFigure, IsFigure(sentence));

    private static bool IsFigure(string sentence) => Number().IsMatch(NoFigure().Replace(sentence, ""));

    // Paragraphs, items and rows of tables, each with the records of the markers around it; null: none.
    private static IEnumerable<(string Text, string? Records)> Parts(string page)
    {
        var text = Code().Replace(SourceTree.Read(page), "");
        string? records = null;
        foreach (var block in Blocks().Split(text))
        {
            if (Begin().Match(block) is { Success: true } begin)
                records = Space().Replace(begin.Groups["records"].Value, " ");
            else if (block.Contains("<!-- end of figures -->", StringComparison.Ordinal))
                records = null;
            else if (!block.StartsWith('#'))
                yield return (Space().Replace(block, " "), records);
        }
    }

    [GeneratedRegex("^```.*?^```", RegexOptions.Singleline | RegexOptions.Multiline)]
    private static partial Regex Code();

    // A blank line, or the beginning of an item or a row.
    [GeneratedRegex(@"\r?\n(?=\r?\n|\s*- |\s*\d+\. |\|)")]
    private static partial Regex Blocks();

    [GeneratedRegex(@"<!-- figures of (?<records>[^>]*?)\s*-->", RegexOptions.Singleline)]
    private static partial Regex Begin();

    [GeneratedRegex(@"\s+")]
    private static partial Regex Space();

    [GeneratedRegex(@"(?<=\.)\s+(?=[^a-z])")]
    private static partial Regex EndOfSentence();

    [GeneratedRegex(@"\]\((\.\./)?(results|loadtest/scenarios|docs/results\.md|docs/figures)\b")]
    private static partial Regex Source();

    [GeneratedRegex(@"\d")]
    private static partial Regex Number();

    // Code, versions, targets of links, decisions, addresses, hypotheses, percentiles, years, and the number of an item.
    [GeneratedRegex(
        @"`[^`]*`|SDK\]\([^)]*\) \d+|\]\([^)]*\)|\[decision\s\d+|\[\d{4}|https?://\S+|HTTP/\d(\.\d)?|STOMP \d\.\d|\bH[123][ab]?|\bp\d\d"
            + @"|\((19|20)\d\d\)|^\s*\d+\. ")]
    private static partial Regex NoFigure();
}
