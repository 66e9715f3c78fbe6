using System.Diagnostics;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Relay;
using PubSubOverWs.LoadTest.Targets.Sqs;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A server called with <c>--health</c>, as a container's health check calls it.</summary>
public sealed class HealthModeTests
{
    [Fact]
    public async Task Beside_a_server_that_is_ready_it_ends_with_0()
    {
        await using var server = await ChildServer.StartAsync(DirectTarget.Program.Command(), new ChildOptions(), CancellationToken.None);

        Assert.Equal((0, ""), await AskAsync("--health", "--urls", server.Address.ToString()));
    }

    [Fact]
    public async Task Where_nobody_listens_it_ends_with_1_and_says_so()
    {
        var (exitCode, error) = await AskAsync("--urls", $"http://127.0.0.1:{FreePort.Find()}", "--health");

        Assert.Equal(1, exitCode);
        Assert.StartsWith("The server that is to be asked for its health does not answer: ", error, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Beside_a_server_whose_queue_is_away_it_ends_with_1_and_says_that_it_is_not_ready()
    {
        await using var queue = await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), CancellationToken.None);
        await using var server = await ChildServer.StartAsync(OnLocalSqs.PubSub(queue.Address), new ChildOptions(), CancellationToken.None);
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
