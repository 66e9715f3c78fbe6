using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.DirectServer;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Limits;

public sealed class MemoryTotalTests
{
    [Theory]
    [InlineData("OutboxBytesTotal", 8)]
    [InlineData("UnacknowledgedBytesTotal", 2)]
    [InlineData("SentBytesTotal", 2)]
    public void The_total_grows_with_each_budget_by_the_memory_that_clients_can_take_through_it(string setting, int times)
    {
        const int more = 1 << 20;
        var (small, large) = (Direct((setting, $"{64 * more}")), Direct((setting, $"{65 * more}")));

        Assert.Equal((long)times * more, large.MostBytes - small.MostBytes);
    }

    [Fact]
    public void The_total_grows_with_each_connection_that_is_allowed()
    {
        var (few, many) = (Direct(("MaxConnections", "10")), Direct(("MaxConnections", "1010")));

        Assert.Equal(1_000 * few.PerConnectionBytes, many.MostBytes - few.MostBytes);
        Assert.Equal(many.MostBytes, many.Parts.Values.Sum() + (1_010 * many.PerConnectionBytes));
    }

    [Fact]
    public void The_number_of_descriptors_bounds_connections_if_no_setting_does()
    {
        var stats = Direct(("MaxConnections", "0"));

        Assert.InRange(stats.Connections, 1, int.MaxValue);
        Assert.Equal(stats.MostBytes, stats.Parts.Values.Sum() + (stats.Connections * stats.PerConnectionBytes));
    }

    [Fact]
    public void The_total_of_each_server_includes_the_memory_of_its_broker()
    {
        Assert.DoesNotContain("Direct:Buffer", Direct().Parts.Keys);
        var buffering = Stats(Direct, ("Direct:Buffer", "100"), ("Direct:BufferBytes", $"{1 << 20}"));
        Assert.Equal(2 * ((1L << 20) + (100 * 256)), buffering.Parts["Direct:Buffer"]);
        string[] queue = ["queue calls", "Queue:MaxInFlightBytes", "topic backlogs"];
        Assert.All(queue, part => Assert.Contains(part, Stats(PubSub).Parts.Keys));
    }

    [Theory]
    [InlineData("Queue:MaxInFlightBytes", 4)]
    [InlineData("Relay:SentBytesTotal", 6)]
    public void Messages_that_go_through_the_queue_count_once_for_each_form_in_memory(string setting, int times)
    {
        const int more = 1 << 20;
        var (small, large) = (Stats(PubSub, (setting, $"{64 * more}")), Stats(PubSub, (setting, $"{65 * more}")));

        Assert.Equal((long)times * more, large.MostBytes - small.MostBytes);
    }

    private static void Direct(IServiceCollection services, IConfiguration configuration) => services.AddDirectBroker(configuration);

    private static void PubSub(IServiceCollection services, IConfiguration configuration) => services.AddQueueBroker(configuration);

    private static MemoryStats Direct(params (string Name, string Value)[] relay) =>
        Stats(Direct, [.. relay.Select(setting => ($"Relay:{setting.Name}", setting.Value))]);

    private static MemoryStats Stats(Action<IServiceCollection, IConfiguration> addBroker, params (string Name, string Value)[] settings)
    {
        var values = settings.Select(setting => KeyValuePair.Create(setting.Name, (string?)setting.Value));
        // As many as a process may have descriptors for, however many this one has open.
        var fewConnections = new Dictionary<string, string?> { ["Relay:MaxConnections"] = "100" };
        var configuration = new ConfigurationBuilder().AddInMemoryCollection(fewConnections).AddInMemoryCollection(values).Build();
        var services = new ServiceCollection();
        services.AddLogging().AddRelay(configuration);
        addBroker(services, configuration);
        using var provider = services.BuildServiceProvider();
        return provider.GetRequiredService<MemoryTotal>().Stats;
    }
}
