using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

public sealed class QueueServicesTests
{
    [Fact]
    public void The_section_queue_sets_every_option()
    {
        var options = Read(
            ("Name", "other"), ("WaitTime", "00:00:05"), ("PollLoops", "7"), ("VisibilityTimeout", "00:00:05"), ("MaxDeliveries", "3"),
            ("HeldMessages", "0"), ("HeldBytes", "512"), ("MaxInFlight", "10"), ("PublishTimeout", "00:00:01"), ("Settle:Auto", "receive"));
        Assert.Equal(SettleAuto.Receive, options.Settle.Auto);
        Assert.Equal(("other", 7, 3, 0, 512L, 10), (
            options.Name, options.PollLoops, options.MaxDeliveries, options.HeldMessages, options.HeldBytes, options.MaxInFlight));
        Assert.Equal((5, 5, 1), (
            options.WaitTime.TotalSeconds, options.VisibilityTimeout.TotalSeconds, options.PublishTimeout.TotalSeconds));
    }

    [Fact]
    public void The_defaults_are_within_their_ranges() => Assert.Equal("pubsub-over-ws", Read().Name);

    [Theory]
    [InlineData("Name", "no spaces")]
    [InlineData("Name", "")]
    [InlineData("WaitTime", "00:00:21")]
    [InlineData("WaitTime", "00:00:00.500")]
    [InlineData("PollLoops", "0")]
    [InlineData("VisibilityTimeout", "00:00:02")]
    [InlineData("VisibilityTimeout", "12:00:01")]
    [InlineData("MaxInFlight", "9")]
    [InlineData("HeldMessages", "-1")]
    [InlineData("HeldBytes", "-1")]
    [InlineData("MaxDeliveries", "0")]
    [InlineData("PublishTimeout", "00:00:00")]
    public void A_value_out_of_range_is_refused_by_the_name_of_its_setting(string name, string value) =>
        Assert.Contains(name, Assert.Throws<OptionsValidationException>(() => Read((name, value))).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData("AnnounceEvery", "00:02:00")]
    [InlineData("DeadAfter", "00:00:05")]
    [InlineData("DeleteAfter", "00:00:30")]
    [InlineData("DeadAfter", "00:01:30")]
    public void Times_of_nodes_that_do_not_go_together_are_refused_by_name(string name, string value) =>
        Assert.Contains(
            name, Assert.Throws<OptionsValidationException>(() => Read<NodeOptions>(($"Nodes:{name}", value))).Message,
            StringComparison.Ordinal);

    [Fact]
    public void Servers_that_share_their_work_need_Sqs() => Assert.Contains(
        "leave out Queue:Nodes:Enabled, or Queue:Kind Redis.",
        Assert.Throws<OptionsValidationException>(() => Read(("Kind", "Redis"), ("Nodes:Enabled", "true"))).Message,
        StringComparison.Ordinal);

    private static QueueBrokerOptions Read(params (string Name, string Value)[] settings) => Read<QueueBrokerOptions>(settings);
    private static T Read<T>(params (string Name, string Value)[] settings) where T : class
    {
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.Select(pair => KeyValuePair.Create($"Queue:{pair.Name}", (string?)pair.Value))).Build();
        using var services = new ServiceCollection().AddQueueBroker(configuration).BuildServiceProvider();
        return services.GetRequiredService<IOptions<T>>().Value;
    }
}
