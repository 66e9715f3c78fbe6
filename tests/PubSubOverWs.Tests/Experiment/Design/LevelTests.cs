using System.Text.Json;
using PubSubOverWs.Experiment.Design;

namespace PubSubOverWs.Tests.Experiment.Design;

public sealed class LevelTests
{
    private static readonly Factor Subscribers = new("subscribers", "subscribers");

    private static readonly Factor Rate = new("rate", "messages/s");

    [Fact]
    public void A_level_of_two_factors_has_a_name_for_files_and_one_for_people()
    {
        var level = Of(100, 2000);

        Assert.Equal(("100-2000", "100 subscribers, 2000 messages/s"), (level.Key, level.ToString()));
        Assert.Throws<InvalidOperationException>(() => level.Number);
    }

    [Fact]
    public void Levels_are_alike_by_their_settings_and_stand_from_low_to_high()
    {
        Assert.True(Of(10, 500) == Of(10, 500));
        Assert.NotEqual(Of(10, 500), Of(500, 10));
        Assert.Equal([Of(10, 500), Of(10, 2000), Of(100, 500)], new[] { Of(100, 500), Of(10, 2000), Of(10, 500) }.Order(Level.Order));
    }

    [Fact]
    public void As_JSON_one_factor_is_a_number_and_two_are_an_object()
    {
        Assert.Equal("10", JsonSerializer.Serialize(new Level([new Setting(Subscribers, 10)])));
        Assert.Equal("""{"subscribers":10,"rate":500}""", JsonSerializer.Serialize(Of(10, 500)));
    }

    private static Level Of(int subscribers, int rate) => new([new Setting(Subscribers, subscribers), new Setting(Rate, rate)]);
}
