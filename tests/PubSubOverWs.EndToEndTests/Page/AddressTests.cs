using PubSubOverWs.EndToEndTests.Relay;

namespace PubSubOverWs.EndToEndTests.Page;

/// <summary>What a server that has started says of itself, in its log and to who asks.</summary>
public sealed class AddressTests
{
    [Fact]
    public async Task The_log_names_the_address_for_clients_and_that_of_the_page_and_health_answers()
    {
        using var server = ServerProgram.Start("--urls", "http://127.0.0.1:0", "--child");
        var address = await server.ListeningAsync();
        using var http = new HttpClient { BaseAddress = address };

        Assert.Equal("Healthy", await http.GetStringAsync(new Uri("/health", UriKind.Relative)));
        Assert.Equal(
            await http.GetStringAsync(new Uri("/health/ready", UriKind.Relative)),
            await http.GetStringAsync(new Uri("/health", UriKind.Relative)));
        var ended = await server.EndAsync();
        Assert.Contains(
            $"STOMP clients connect to ws://{address.Authority}/ws; browsers find the page at http://{address.Authority}/.", ended.Error,
            StringComparison.Ordinal);
    }
}
