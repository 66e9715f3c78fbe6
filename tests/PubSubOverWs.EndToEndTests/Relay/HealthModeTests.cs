using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A server called with <c>--health</c>, as a container's health check calls it.</summary>
public sealed class HealthModeTests
{
    [Fact]
    public async Task The_health_check_ends_with_0_if_the_server_is_ready()
    {
        await using var server = await TestServers.DirectAsync();

        Assert.Equal((0, ""), await AskAsync("--health", "--urls", server.Address.ToString()));
    }

    [Fact]
    public async Task The_health_check_ends_with_1_and_says_so_if_no_server_listens()
    {
        var (exitCode, error) = await AskAsync("--urls", $"http://127.0.0.1:{FreePort.Find()}", "--health");

        Assert.Equal(1, exitCode);
        Assert.StartsWith("The server that is to be asked for its health does not answer: ", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task The_health_check_ends_with_1_and_gives_the_reason_if_the_queue_is_unreachable()
    {
        await using var queue = await TestServers.QueueAsync();
        await using var server = await TestServers.PubSubAsync(queue.Address);
        await queue.KillAsync();

        var (exitCode, error) = (0, "");
        await Waiting.UntilAsync(async () =>
        {
            (exitCode, error) = await AskAsync("--health", "--urls", server.Address.ToString());
            return exitCode != 0; // It remembers for a second that it was ready.
        });

        Assert.Equal(1, exitCode);
        Assert.Equal(
            $"The server at {server.Address} is not ready: it answers 503. The queue at {queue.Address} cannot be reached "
                + "(ConnectionRefused): "
            + "start it, or name another in Sqs:Endpoint.",
            error);
    }

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

    /// <summary>The direct server's program: both have the same.</summary>
    private static async Task<(int ExitCode, string Error)> AskAsync(params string[] arguments)
    {
        string[] line = ["exec", DirectTarget.Program.Command().Assembly, .. arguments];
        using var program = Process.Start(new ProcessStartInfo(DotnetHost.Path, line) { RedirectStandardError = true })!;
        var error = await program.StandardError.ReadToEndAsync();
        await program.WaitForExitAsync();
        return (program.ExitCode, error.Trim());
    }
}
