using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Hosting;

public sealed class StartChecksTests
{
    [Theory]
    [InlineData("Sqs:MostGiven")]
    [InlineData("Sqs:MostHeld")]
    public void A_value_that_is_computed_of_settings_is_refused_as_one_by_name(string computed)
    {
        var configuration = new ConfigurationBuilder()
            .AddInMemoryCollection([KeyValuePair.Create(computed, (string?)"1")]).Build();
        using var services = new ServiceCollection().AddSqsBroker(configuration).BuildServiceProvider();

        var refused = Assert.Throws<StartFailedException>(() => StartChecks.Run(services, configuration));

        Assert.StartsWith($"There is no setting {computed}: section Sqs has ", refused.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("Most", refused.Message.Split(" has ")[1], StringComparison.Ordinal);
    }
}
