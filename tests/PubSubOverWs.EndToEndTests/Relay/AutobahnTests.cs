using System.Diagnostics;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// WebSocket framing and closing as the test suite of Autobahn sees them, over real sockets: clients of the raw relay, which sends back
/// each message, of both servers and both front ends.
/// </summary>
public sealed class AutobahnTests
{
    // Messages of the largest cases (9.*) that are tried.
    private static readonly string[] MaxMessageBytes = ["--Relay:MaxMessageBytes", "716800"];

    [TheoryNeeds(Needed.Autobahn)]
    [InlineData(true, "Framework")]
    [InlineData(true, "Lean")]
    [InlineData(false, "Framework")]
    [InlineData(false, "Lean")]
    public async Task No_case_fails_and_every_close_frame_comes(bool isDirect, string frontEnd)
    {
        string[] settings = [.. MaxMessageBytes, "--Relay:FrontEnd", frontEnd];
        await using var queue = isDirect
            ? null
            : await TestServers.QueueAsync();
        var command = queue is null
            ? DirectTarget.Program.Command(settings)
            : TestServers.PubSub(queue.Address, ["--Queue:Name", "autobahn", .. settings]);
        await using var server = await TestServers.StartAsync(command);

        var said = await RunAsync(new UriBuilder(server.Address) { Scheme = "ws", Path = "/raw" }.Uri);

        Assert.Matches(@"(?m)^[1-9]\d* passed, 0 failed \(.* 0 whose close frame did not arrive\)$", said);
    }

    private static async Task<string> RunAsync(Uri address)
    {
        using var report = new TestFolder();
        using var suite = Process.Start(new ProcessStartInfo(Needs.Autobahn, [report.Path, $"{address}"])
        {
            RedirectStandardOutput = true,
        })!;
        var said = await suite.StandardOutput.ReadToEndAsync();
        await suite.WaitForExitAsync();
        return said;
    }
}
