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
