using System.Diagnostics;
using PubSubOverWs.EndToEndTests.LoadTest;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// WebSocket framing and closing as the test suite of Autobahn sees them, over real sockets: clients of the raw relay, which sends back
/// each message, of both servers and both front ends.
/// </summary>
public sealed class AutobahnTests
{
    // Messages of the largest cases (9.*) that are tried.
    private static readonly string[] MaxMessageBytes = ["--Relay:MaxMessageBytes", "716800"];

    [AutobahnTheory]
    [InlineData(true, "Framework")]
    [InlineData(true, "Lean")]
    [InlineData(false, "Framework")]
    [InlineData(false, "Lean")]
    public async Task No_case_fails_and_every_close_frame_comes(bool isDirect, string frontEnd)
    {
        string[] settings = [.. MaxMessageBytes, "--Relay:FrontEnd", frontEnd];
        await using var server = isDirect
            ? await TestServers.DirectAsync(settings)
            : await TestServers.PubSubAsync((await TestServers.SharedQueueAsync()).Address, ["--Sqs:Queue", "autobahn", .. settings]);

        var said = await RunAsync(new UriBuilder(server.Address) { Scheme = "ws", Path = "/raw" }.Uri);

        Assert.Matches(@"(?m)^[1-9]\d* passed, 0 failed \(.* 0 whose close frame did not arrive\)$", said);
    }

    private static async Task<string> RunAsync(Uri address)
    {
        using var report = new TestFolder();
        using var suite = Process.Start(new ProcessStartInfo(AutobahnTheoryAttribute.Command!, [report.Path, $"{address}"])
        {
            RedirectStandardOutput = true,
        })!;
        var said = await suite.StandardOutput.ReadToEndAsync();
        await suite.WaitForExitAsync();
        return said;
    }
}

/// <summary>Skipped with the reason where the suite is not.</summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class AutobahnTheoryAttribute : TheoryAttribute
{
    private const string Variable = "AUTOBAHN_RUN";

    public AutobahnTheoryAttribute() => Skip = Command is null
        ? $"Needs Autobahn's test suite: set {Variable} to a command that takes a folder for its report and the address of a server."
        : null;

    /// <summary>Null: there is none here.</summary>
    public static string? Command { get; } = Environment.GetEnvironmentVariable(Variable) is { Length: > 0 } command ? command : null;
}
