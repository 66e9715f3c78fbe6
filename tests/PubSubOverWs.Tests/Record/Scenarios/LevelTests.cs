using System.Text.Json;
using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Record.Scenarios;

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

    [Fact]
    public void A_setting_with_a_name_stands_by_it_in_files_tables_and_JSON_and_is_found_by_it()
    {
        var test = new Factor("test", "") { Names = ["Lund 1", "Lund 2"] };
        var level = new Level([test.Find("Lund 2")!.Value]);

        Assert.Equal(("lund-2", "Lund 2", 2), (level.Key, level.ToString(), level.Number));
        Assert.Equal("\"Lund 2\"", JsonSerializer.Serialize(level));
        Assert.Equal(("""{"Name":"test","Words":"","Names":["Lund 1","Lund 2"]}""", """{"Name":"rate","Words":"messages/s"}"""),
            (JsonSerializer.Serialize(test), JsonSerializer.Serialize(Rate)));
        Assert.Null(test.Find("2"));
        Assert.Equal((2000, null), (Rate.Find("2000")!.Value.Number, Rate.Find("Lund 2")));
    }

    [Fact]
    public void A_row_of_a_record_has_the_name_of_its_setting_and_is_read_back_by_it()
    {
        var test = new Factor("test", "") { Names = ["Lund 1", "Lund 2"] };
        var row = Some.Row("direct", 50, 1, 1) with { Level = new Level([new Setting(test, 2)]) };
        var cells = Csv.Cells(IterationCsv.Line(row))!;
        var columns = IterationCsv.Header([test]).Select((name, i) => (name, i)).ToDictionary(pair => pair.name, pair => pair.i);

        Assert.Equal("Lund 2", cells[1]);
        Assert.Equal(row.Level, IterationCsv.Parse(new CsvRow(columns, cells, "line 2"), [test]).Level);
        Assert.Throws<RecordException>(
            () => IterationCsv.Parse(new CsvRow(columns, [cells[0], "Lund 3", .. cells.Skip(2)], "line 2"), [test]));
    }

    private static Level Of(int subscribers, int rate) => new([new Setting(Subscribers, subscribers), new Setting(Rate, rate)]);
}
