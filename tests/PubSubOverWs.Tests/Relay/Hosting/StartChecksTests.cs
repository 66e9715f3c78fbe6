using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Record;

namespace PubSubOverWs.Tests.Relay.Hosting;

public sealed class StartChecksTests
{
    [Theory]
    [InlineData("Sqs:MaxUnsettled")]
    [InlineData("Sqs:MaxHeld")]
    public void A_value_that_is_computed_of_settings_is_refused_as_one_by_name(string computed)
    {
        var refused = Refusal(computed);

        Assert.StartsWith($"There is no setting {computed}: section Sqs has ", refused, StringComparison.Ordinal);
        Assert.DoesNotContain(computed["Sqs:".Length..], refused!.Split(" has ")[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_setting_that_two_classes_read_is_listed_once()
    {
        var listed = Refusal("Sqs:X")!.TrimEnd('.').Split(" has ")[1].Split(", ");

        Assert.Equal(listed.Distinct(), listed);
    }

    [Theory]
    [InlineData("Relays:X", "There is no section Relays, did you mean Relay?")]
    [InlineData("realy:Delivery:Cost", "There is no section realy, did you mean Relay?")]
    [InlineData("Acess:UsersFile", "There is no section Acess, did you mean Access?")]
    [InlineData("Sns:Region", "There is no section Sns, did you mean Sqs?")]
    [InlineData("Sqs:MaxInFlight", "There is no setting Sqs:MaxInFlight: it is Queue:MaxInFlight.")]
    [InlineData("Sqs:Queue", "There is no setting Sqs:Queue: it is Queue:Name.")]
    [InlineData("Sqs:Sending:Pack", "There is no setting Sqs:Sending: it is Queue:Sending.")]
    [InlineData("Relay:OutboxFrame", "There is no setting Relay:OutboxFrame, did you mean Relay:OutboxFrames? Section Relay has Backlog, ")]
    [InlineData("Relay:Delivery:Costs", "There is no setting Relay:Delivery:Costs, did you mean Relay:Delivery:Cost? Section ")]
    [InlineData("Relay:OutboxFrames:X", "There is no setting Relay:OutboxFrames:X: Relay:OutboxFrames has none below it.")]
    public void A_misspelt_setting_is_refused_with_what_was_probably_meant(string name, string sentence) =>
        Assert.StartsWith(sentence, Refusal(name), StringComparison.Ordinal);

    [Theory]
    [InlineData("Relays")]
    [InlineData("Sns:Topic")]
    [InlineData("RelayHost:Name")]
    [InlineData("Direct:Buffer")]
    [InlineData("Redis:Endpoint")]
    [InlineData("relay:outboxframes")]
    public void What_other_programs_may_have_put_there_is_left_alone(string name) => Assert.Null(Refusal(name));

    [Fact]
    public void A_refusal_says_in_which_file_the_setting_stands()
    {
        using var folder = new TemporaryFolder();
        File.WriteAllText(folder.Of("settings.json"), """{ "Relay": { "OutboxFrames": "five" } }""");
        var configuration = new ConfigurationBuilder().SetBasePath(folder.Path).AddJsonFile("settings.json").Build();

        Assert.StartsWith(
            "Relay:OutboxFrames is 'five' (in settings.json), and must be a whole number", Refusal(configuration),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("urls", "http://127.0.0.1:5001", "http://127.0.0.1:5001/")]
    [InlineData("urls", "http://*:8080;http://127.0.0.1:81", "http://127.0.0.1:8080/")]
    [InlineData("urls", "http://0.0.0.0:8080", "http://127.0.0.1:8080/")]
    [InlineData("urls", "http://[::]:8080", "http://[::1]:8080/")]
    [InlineData("http_ports", "8080;8081", "http://127.0.0.1:8080/")]
    [InlineData("https_ports", "8443;8444", "https://127.0.0.1:8443/")]
    [InlineData("unrelated", "", "http://localhost:5000/")]
    public void The_health_check_asks_where_a_server_with_the_same_settings_would_listen(string setting, string value, string address) =>
        Assert.Equal(address, HealthMode.AddressIn(Settings(setting, value)).ToString());

    [Fact]
    public void An_invalid_address_is_refused() =>
        Assert.Throws<StartFailedException>(() => HealthMode.AddressIn(Settings("urls", "nonsense")));

    private static string? Refusal(string setting) => Refusal(
        new ConfigurationBuilder().AddInMemoryCollection([KeyValuePair.Create(setting, (string?)"1")]).Build());

    private static string? Refusal(IConfiguration configuration)
    {
        using var services = new ServiceCollection().AddLogging().AddRelay(configuration).AddQueueBroker(configuration)
            .BuildServiceProvider();
        return Xunit.Record.Exception(() => StartChecks.Run(services, configuration)) is StartFailedException refused ? refused.Message
            : null;
    }

    private static IConfigurationRoot Settings(string name, string value) =>
        new ConfigurationBuilder().AddInMemoryCollection([KeyValuePair.Create(name, (string?)value)]).Build();
}
