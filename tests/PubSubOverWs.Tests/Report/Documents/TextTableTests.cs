using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Tests.Report.Documents;

public sealed class TextTableTests
{
    private static readonly Table Ratios = new(
        ["users", "arm", "ratio (95 %)"], [["50", "direct", ""], ["1000", "pubsub", "3.17 (1.45 to 5.54)"]]);

    [Fact]
    public void Numbers_are_aligned_right() => Assert.Equal(
        """
        users  arm            ratio (95 %)
           50  direct
         1000  pubsub  3.17 (1.45 to 5.54)

        """,
        TextTable.Write(Ratios), ignoreLineEndingDifferences: true);

    [Fact]
    public void The_widest_cells_are_broken_where_there_is_no_room() => Assert.Equal(
        """
        users  arm     ratio (95
                              %)
           50  direct
         1000  pubsub       3.17
                        (1.45 to
                           5.54)

        """,
        TextTable.Write(Ratios, width: 24), ignoreLineEndingDifferences: true);

    [Fact]
    public void A_word_is_never_broken() =>
        Assert.Equal(TextTable.LeastWidth(Ratios), TextTable.Write(Ratios, width: 1).Split('\n').Max(line => line.Length));
}
