using PubSubOverWs.Report.Documents;
using PubSubOverWs.Report.Statistics;

namespace PubSubOverWs.Tests.Report.Documents;

public sealed class FormatTests
{
    [Theory]
    [InlineData(null, "–")]
    [InlineData(double.NaN, "–")]
    [InlineData(0.0, "0")]
    [InlineData(1234.5, "1234")]
    [InlineData(99999.0, "100000")]
    [InlineData(12345.0, "12340")]
    [InlineData(-456789.0, "-456800")]
    [InlineData(12.34, "12.3")]
    [InlineData(1.234, "1.23")]
    [InlineData(0.01234, "0.0123")]
    [InlineData(0.00001234, "1.23e-5")]
    [InlineData(-12.34, "-12.3")]
    public void Numbers_keep_the_digits_that_mean_something(double? value, string text) => Assert.Equal(text, Format.Short(value));

    [Theory]
    [InlineData(null, "–")]
    [InlineData(0.0, "0")]
    [InlineData(0.0617, "0.0617")]
    [InlineData(2.21e-7, "2.21e-7")]
    [InlineData(2.265066e-103, "2.27e-103")]
    public void A_small_p_is_never_rounded_to_nothing(double? p, string text) => Assert.Equal(text, Format.P(p));

    [Fact]
    public void A_deviation_stands_only_where_there_is_more_than_one_value()
    {
        Assert.Equal("–", Format.MeanSd(default));
        Assert.Equal("3.00", Format.MeanSd(new Moments(1, 3, 0)));
        Assert.Equal("3.00 (2.00)", Format.MeanSd(new Moments(2, 3, 4)));
    }

    [Fact]
    public void A_span_that_reads_alike_is_written_once()
    {
        Assert.Equal("1.000", Format.Span([1.00001, 1.00002], Format.Ratio));
        Assert.Equal("1.000 to 12.00", Format.Span([1, 12], Format.Ratio));
    }

    [Fact]
    public void A_bar_in_a_cell_does_not_break_the_table() =>
        Assert.Equal("| a |\n| --- |\n| b \\| c |\n", MarkdownText.Write([new Table(["a"], [["b | c"]])]));
}

public sealed class ScaleTests
{
    [Theory]
    [InlineData(8.29, new[] { 0.0, 5, 10 })]
    [InlineData(100, new[] { 0.0, 50, 100 })]
    [InlineData(0, new[] { 0.0, 0.5, 1 })]
    public void A_linear_scale_goes_from_zero_to_a_round_number(double most, double[] ticks)
    {
        var scale = Scale.Linear([most], 200, 0);
        Assert.Equal(ticks, scale.Ticks);
        Assert.Equal((200, 0), (scale[0], scale[ticks[^1]]));
    }

    [Fact]
    public void Decades_hold_all_values_and_are_equally_far_apart()
    {
        var scale = Scale.Decades([1.39, 805.3], 300, 0);
        Assert.Equal([1, 10, 100, 1000], scale.Ticks);
        Assert.Equal(200, scale[10], 1e-9);
        Assert.Equal(100, scale[100], 1e-9);
    }

    [Fact]
    public void Values_at_or_below_zero_are_drawn_at_the_end_of_a_logarithmic_scale() =>
        Assert.Equal(300, Scale.Decades([0, -1, 50], 300, 0)[-1]);

    [Fact]
    public void One_value_alone_has_a_scale() => Assert.Equal((1, 10), (Scale.Decades([1], 0, 1).Low, Scale.Decades([1], 0, 1).High));
}

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
