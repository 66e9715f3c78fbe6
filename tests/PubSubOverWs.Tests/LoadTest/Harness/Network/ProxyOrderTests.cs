using System.Text.Json;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.Tests.PubSubServer;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

public sealed class ProxyOrderTests
{
    private static readonly Toxic[] All =
    [
        new LatencyToxic(Passed.Seconds(0.1), Passed.Seconds(0.02)) { Direction = Direction.ToClient, Probability = 0.5 },
        new BandwidthToxic(20_000), new SlicerToxic(40, 10, Passed.Seconds(0.001)), new LimitToxic(5000),
        new StallToxic(Passed.Seconds(10), Passed.Seconds(2)), new ResetToxic(Passed.Seconds(30)), new ChurnToxic(Passed.Seconds(12)),
    ];

    public static TheoryData<Toxic> OutOfRange =>
    [
        new LatencyToxic(Passed.Seconds(-1)), new LatencyToxic(Passed.Seconds(1), Passed.Seconds(1.1)),
        new LatencyToxic(TimeSpan.FromDays(2)),
        new BandwidthToxic(0), new BandwidthToxic(1_000_000_001), new SlicerToxic(0), new SlicerToxic(10, 10), new SlicerToxic(65_537),
        new LimitToxic(-1),
        new StallToxic(default, default), new StallToxic(Passed.Seconds(1), Passed.Seconds(2)), new ResetToxic(Passed.Seconds(-1)),
        new ResetToxic(Passed.Seconds(1), Passed.Seconds(2)), new ChurnToxic(default),
        new LimitToxic(1) { Probability = 1.1 }, new LimitToxic(1) { Probability = double.NaN },
        new LimitToxic(1) { Direction = Direction.None },
    ];

    [Fact]
    public void Orders_are_read_back_as_they_were_written()
    {
        ProxyOrder[] orders = [new(OrderKind.Toxics) { At = Passed.Seconds(2), Toxics = All, Seed = 7 },
            new(OrderKind.Cut) { Share = 0.25 }, new(OrderKind.Refuse)];
        var text = JsonSerializer.Serialize(orders, ProxyJson.Options);

        var read = JsonSerializer.Deserialize<ProxyOrder[]>(text, ProxyJson.Options)!;

        Assert.Equal(All, read[0].Toxics);
        Assert.Equal(text, JsonSerializer.Serialize(read, ProxyJson.Options));
        Assert.Contains(
            """{"toxic":"latency","delay":"100ms","jitter":"20ms","direction":"to-client","probability":0.5}""", text,
            StringComparison.Ordinal);
    }

    [Fact]
    public void A_parameter_with_a_default_may_be_omitted()
    {
        var order = JsonSerializer.Deserialize<ProxyOrder>(
            """{"do":"toxics","toxics":[{"bytes":40,"toxic":"slicer"}]}""", ProxyJson.Options)!;

        Assert.Equal([new SlicerToxic(40)], order.Toxics);
        Assert.Null(order.FindFault());
    }

    [Theory]
    [InlineData("""{"do":"explode"}""")]
    [InlineData("""{"do":3}""")]
    [InlineData("""{"at":"1s"}""")]
    [InlineData("""{"do":"cut","shar":0.5}""")]
    [InlineData("""{"do":"cut","at":"soon"}""")]
    [InlineData("""{"do":"cut","at":5}""")]
    [InlineData("""{"do":"toxics","toxics":[{"toxic":"latency"}]}""")]
    [InlineData("""{"do":"toxics","toxics":[{"toxic":"fire"}]}""")]
    [InlineData("""{"do":"toxics","toxics":null}""")]
    public void An_invalid_order_is_refused(string text) =>
        Assert.Throws<JsonException>(() => JsonSerializer.Deserialize<ProxyOrder>(text, ProxyJson.Options));

    [Fact]
    public void A_toxic_that_is_null_is_named() =>
        Assert.Equal(
            "toxics: null is not a toxic.",
            JsonSerializer.Deserialize<ProxyOrder>("""{"do":"toxics","toxics":[null]}""", ProxyJson.Options)!.FindFault());

    [Theory]
    [MemberData(nameof(OutOfRange))]
    public void A_parameter_out_of_range_is_named(Toxic toxic) =>
        Assert.NotNull(new ProxyOrder(OrderKind.Toxics) { Toxics = [toxic] }.FindFault());

    [Fact]
    public void Only_parameters_in_range_are_accepted()
    {
        Assert.Null(new ProxyOrder(OrderKind.Toxics) { Toxics = All }.FindFault());
        Assert.NotNull(new ProxyOrder(OrderKind.Cut) { Share = 1.5 }.FindFault());
        Assert.NotNull(new ProxyOrder(OrderKind.Cut) { At = TimeSpan.FromDays(2) }.FindFault());
    }
}
