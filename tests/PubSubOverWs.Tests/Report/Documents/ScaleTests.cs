using PubSubOverWs.Report.Documents;

namespace PubSubOverWs.Tests.Report.Documents;

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
