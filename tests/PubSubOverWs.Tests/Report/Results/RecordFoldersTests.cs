using PubSubOverWs.LoadTest.Experiments.Paper.Predictions;
using PubSubOverWs.Report.Results;

namespace PubSubOverWs.Tests.Report.Results;

public sealed class RecordFoldersTests
{
    private const string Folder = "results/faults/2026-11-22T16-19-00Z-overload-restart";

    private static readonly IReadOnlyList<RecordEntry> Entries = TestFamily.Told(
    [
        new(Folder, new DateTimeOffset(2026, 11, 22, 16, 19, 0, TimeSpan.Zero))
        {
            Scenario = "faults (overload-restart)",
            Size = "10",
            Loss = "38.9 / 7.43 / 0.0035",
            P50 = "0.8790 / 1631 / 1852",
            Ratio = "74.3 to 1174",
            Verdict = "valid",
            Tests = [new LessLoss(LessLossWord.Holds, "") { P = 0.00001 }.ForList()],
        },
    ]);

    [Theory]
    [InlineData(240)]
    [InlineData(100)]
    [InlineData(80)]
    [InlineData(60)]
    [InlineData(40)]
    public void The_table_is_as_wide_as_the_terminal_and_a_folder_can_be_copied(int width)
    {
        var table = RecordFolders.Table(Entries, width);

        Assert.All(Lines(table).Where(line => !line.Contains(Folder)).SkipLast(1), line => Assert.InRange(line.Length, 1, width));
        Assert.Contains(Folder, table, StringComparison.Ordinal);
        Assert.Contains("holds", table, StringComparison.Ordinal);
        Assert.EndsWith("by Hochberg's correction over the 1 record of this list that could be tested\n", table, StringComparison.Ordinal);
    }

    [Fact]
    public void A_wide_terminal_has_a_line_for_each_record_and_a_narrow_one_fewer_columns()
    {
        Assert.Matches(@"^ +time \(UTC\)  scenario ", RecordFolders.Table(Entries, 240));
        Assert.Equal(3, Lines(RecordFolders.Table(Entries, 240)).Length);
        Assert.Matches("^scenario +n +loss % +p50 ms +ratio +verdict\n", RecordFolders.Table(Entries, 100));
        Assert.DoesNotContain("p50", RecordFolders.Table(Entries, 40), StringComparison.Ordinal);
    }

    private static string[] Lines(string table) => table.Split('\n', StringSplitOptions.RemoveEmptyEntries);
}
