using Microsoft.Extensions.Configuration;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Hosting;

public sealed class HealthModeTests
{
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

    private static IConfigurationRoot Settings(string name, string value) =>
        new ConfigurationBuilder().AddInMemoryCollection([KeyValuePair.Create(name, (string?)value)]).Build();
}
