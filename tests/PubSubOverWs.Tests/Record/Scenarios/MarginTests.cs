using System.Text.Json;
using System.Text.RegularExpressions;
using PubSubOverWs.Record.Formats;
using PubSubOverWs.Record.Scenarios;
using PubSubOverWs.Tests.Repository;

namespace PubSubOverWs.Tests.Record.Scenarios;

public sealed class MarginTests
{
    private static readonly JsonSerializerOptions Options = new() { Converters = { new ScenarioJson() } };

    [Theory]
    [InlineData("latency", "10%", 0.1, 0)]
    [InlineData("latency", " 2 ms ", 0, 2_000)]
    [InlineData("latency", "12.5% + 0.5s", 0.125, 500_000)]
    [InlineData("latency", "0.1%+30us", 0.001, 30)]
    [InlineData("bytes", "0.4%", 0.004, 0)]
    [InlineData("bytes", "0.4% + 1.5", 0.004, 1.5)]
    [InlineData("loss", "0.1%", 0, 0.001)]
    public void A_margin_is_a_share_an_amount_or_both(string key, string text, double share, double absolute)
    {
        var margin = Read(key, text);
        Assert.Equal(((decimal)share, (decimal)absolute, text.Trim()), (margin.Share, margin.Absolute, margin.Text));
        Assert.Matches(Pattern(key), text);
    }

    [Theory]
    [InlineData("latency", "")]
    [InlineData("latency", "10")]
    [InlineData("latency", "0%")]
    [InlineData("latency", "100%")]
    [InlineData("latency", "-1%")]
    [InlineData("latency", "2ms + 10%")]
    [InlineData("latency", "10% 2ms")]
    [InlineData("latency", "1234567890%")]
    [InlineData("bytes", "1ms")]
    [InlineData("loss", "1")]
    [InlineData("loss", "0.1% + 1")]
    public void Any_other_margin_is_refused_with_the_expected_form(string key, string text)
    {
        var refused = Assert.Throws<ScenarioException>(() => Read(key, text));
        Assert.StartsWith($"'margins.{key}' is '{text}': write it ", refused.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("""{ "latenci": "10%" }""", "'latenci' is not known in 'margins'")]
    [InlineData("""{ "latency": 10 }""", "'margins.latency' is 10")]
    [InlineData("\"10%\"", "'margins' must be an object")]
    public void Unknown_keys_and_wrong_types_in_margins_are_refused_by_name(string margins, string named)
    {
        var refused =
            Assert.Throws<ScenarioException>(() =>
                ScenarioJson.Parse($$"""{ "name": "x", "users": [1], "margins": {{margins}} }""", "x.json"));
        Assert.Contains(named, refused.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void Margins_are_written_as_they_were_read_and_omitted_if_there_are_none()
    {
        var scenario = ScenarioJson.Parse(
            """{ "name": "x", "users": [1], "margins": { "loss": "0.10%", "latency": "10% + 2ms" } }""", "x.json");
        var text = JsonSerializer.Serialize(scenario, Options);
        Assert.Contains(
            "\"margins\":{\"latency\":\"10% + 2ms\",\"loss\":\"0.10%\"}", text.Replace("\\u002B", "+", StringComparison.Ordinal),
            StringComparison.Ordinal);
        Assert.Equal(scenario.Margins, JsonSerializer.Deserialize<Scenario>(text, Options)!.Margins);
        Assert.DoesNotContain(
            "margins", JsonSerializer.Serialize(scenario with { Margins = Margins.None }, Options), StringComparison.Ordinal);
    }

    private static Margin Read(string key, string text) => key switch
    {
        "latency" => Margin.OfLatency(text),
        "bytes" => Margin.OfBytes(text),
        _ => Margin.OfLoss(text),
    };

    private static Regex Pattern(string key)
    {
        using var schema = JsonDocument.Parse(SourceTree.Read("docs/scenario.schema.json"));
        return new Regex(
            schema.RootElement.GetProperty("properties").GetProperty("margins").GetProperty("properties").GetProperty(key)
                .GetProperty("pattern").GetString()!);
    }
}
