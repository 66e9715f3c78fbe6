using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Options;
using PubSubOverWs.DirectServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Hosting;

public sealed class LimitSettingsTests
{
    [Fact]
    public void By_default_there_is_no_delivery_cost_no_buffer_and_no_limit_on_clients_that_read()
    {
        Assert.Equal((TimeSpan.Zero, 1), (Read<DeliveryOptions>().Cost, Read<DeliveryOptions>().AtATime));
        Assert.Equal(0, Read<DirectOptions>().Buffer);
        var relay = Read<RelayOptions>();
        Assert.Equal(
            (0, 0, 20_000, 0), (relay.MaxMessagesPerSecond, relay.MaxBytesPerSecond, relay.MaxConnections, relay.MaxConnectionsPerAddress));
        Assert.Equal(0, relay.MaxHttpConnections);
        Assert.Equal((0, 0), (relay.MaxMessagesPerSecondPerAddress, relay.MaxBytesPerSecondPerAddress));
        Assert.Equal((SlowConsumer.Wait, TimeSpan.Zero), (relay.SlowConsumer, relay.IdleTimeout));
    }

    [Fact]
    public void The_step_is_read_where_the_relay_reads_it() =>
        Assert.Equal(
            (TimeSpan.FromMilliseconds(2.5), 4),
            Step(Read<RelayOptions>(("Relay:Delivery:Cost", "00:00:00.0025"), ("Relay:Delivery:AtATime", "4"))));

    [Theory]
    [InlineData("SlowConsumerTimeout", "00:00:00.500")]
    [InlineData("SlowConsumerTimeout", "01:00:01")]
    [InlineData("KeepAlive", "00:00:00.500")]
    [InlineData("KeepAliveTimeout", "00:00:00")]
    [InlineData("IdleTimeout", "1.00:00:01")]
    [InlineData("HandshakeTimeout", "00:00:00")]
    [InlineData("OutboxBytesTotal", "4194303")]
    [InlineData("UnacknowledgedBytesTotal", "4194303")]
    [InlineData("SentBytesTotal", "4194303")]
    [InlineData("MaxHttpConnections", "1000001")]
    [InlineData("MaxMessagesPerSecond", "-1")]
    [InlineData("MaxMessagesPerSecondPerAddress", "1000001")]
    [InlineData("MaxBytesPerSecondPerAddress", "-1")]
    [InlineData("MaxConnections", "1000001")]
    [InlineData("Backlog", "0")]
    [InlineData("MaxPrefetch", "0")]
    [InlineData("TopicBacklog", "-1")]
    [InlineData("TopicBacklogBytes", "1023")]
    [InlineData("TopicBacklogBytesTotal", "1048575")]
    public void A_limit_out_of_range_is_refused_by_the_name_of_its_setting(string name, string value) =>
        Refuses<RelayOptions>("Relay", name, value);

    [Fact]
    public void A_delivery_step_a_buffer_and_a_lock_out_out_of_range_are_refused_by_the_names_of_their_settings()
    {
        Refuses<DeliveryOptions>("Relay:Delivery", "Cost", "-00:00:01");
        Refuses<DeliveryOptions>("Relay:Delivery", "AtATime", "0");
        Refuses<DirectOptions>("Direct", "Buffer", "1000001");
        Refuses<DirectOptions>("Direct", "BufferBytes", "0");
        Refuses<AccessOptions>("Access", "MaxFailedLogins", "-1");
        Refuses<AccessOptions>("Access", "LockOut", "00:00:00");
    }

    private static (TimeSpan, int) Step(RelayOptions options) => (options.Delivery.Cost, options.Delivery.AtATime);

    private static void Refuses<T>(string section, string name, string value)
        where T : class =>
        Assert.Matches(
            $"{section}:{name} is '[0-9:.-]+', and must be (0 \\(off\\) or )?between ",
            Assert.Throws<OptionsValidationException>(() => Read<T>(($"{section}:{name}", value))).Message);

    private static T Read<T>(params (string Name, string Value)[] settings)
        where T : class
    {
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection(settings.Select(setting => KeyValuePair.Create(setting.Name, (string?)setting.Value)))
            .Build();
        using var services = new ServiceCollection().AddRelay(configuration).AddDirectBroker(configuration).BuildServiceProvider();
        return services.GetRequiredService<IOptions<T>>().Value;
    }
}
