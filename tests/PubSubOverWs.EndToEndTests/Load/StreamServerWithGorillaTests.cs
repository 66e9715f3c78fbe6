using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text.Json;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>
/// The stream server as the published client sees it: one with gorilla/websocket, which gives no settings, and masks what it sends.
/// </summary>
public sealed class StreamServerWithGorillaTests
{
    // Beside the published stream, beside small messages, and without a stream.
    [TheoryNeeds(Needed.Go)]
    [InlineData("1048576", "500us", 50, "10ms", 1)]
    [InlineData("10240", "500us", 1000, "1ms", 1)]
    [InlineData("10240", "0", 100, "1ms", 0)]
    public async Task The_published_client_gets_each_reply_once_and_in_order(
        string bytes, string period, int requests, string every, int dummies)
    {
        await using var server = await StartAsync(bytes, period);

        var seen = await RunAsync(server.Address, "-requests", $"{requests}", "-every", every, "-dummies", $"{dummies}");

        AssertAnswered(seen, requests, dummies == 0 ? null : int.Parse(bytes, CultureInfo.InvariantCulture));
    }

    [FactNeeds(Needed.Go)]
    public async Task It_may_end_without_a_close_and_another_one_is_served()
    {
        await using var server = await StartAsync("1048576", "500us");

        var first = await RunAsync(server.Address, "-requests", "5", "-abandon");
        var second = await RunAsync(server.Address, "-requests", "5", "-dummies", "1");

        Assert.Equal((5, 0), (first.Replies, first.CloseCode));
        AssertAnswered(second, 5, dummyBytes: 1 << 20);
        Assert.True(server.IsRunning);
    }

    [FactNeeds(Needed.Go)]
    public async Task Chunks_are_whole_messages_to_it()
    {
        await using var server = await StartAsync("100000", "1ms");

        var seen = await RunAsync(server.Address, "-requests", "200", "-every", "1ms", "-dummies", "4", "-path", "/ws?chunkBytes=32768");

        Assert.Equal([100_000 % 32_768, 32_768], seen.Dummies.Keys.Order());
        Assert.Equal((200, 0, true, 0, 1000), (seen.Replies, seen.Repeated, seen.InOrder, seen.NotText, seen.CloseCode));
    }

    [FactNeeds(Needed.Go)]
    public async Task The_reference_server_serves_it_in_the_same_way()
    {
        var port = FreePort.Find();
        using var server = Process.Start(new ProcessStartInfo(
            await GoPrograms.StreamServerAsync(), ["-address", $"127.0.0.1:{port}", "-dummy-bytes", "10240"]))!;
        try
        {
            using var http = new HttpClient();
            await Waiting.UntilAsync(async () =>
            {
                Assert.False(server.HasExited, "The reference ended.");
                return await Xunit.Record.ExceptionAsync(() => http.GetAsync(new Uri($"http://127.0.0.1:{port}/health/ready"))) is null;
            });

            var seen = await RunAsync(
                new Uri($"http://127.0.0.1:{port}"), "-requests", "1000", "-every", "1ms", "-dummies", "1");

            AssertAnswered(seen, 1000, dummyBytes: 10240);
        }
        finally
        {
            server.Kill();
            await server.WaitForExitAsync();
        }
    }

    private static Task<ChildServer> StartAsync(string bytes, string period) =>
        TestServers.StartAsync(ChildCommand.ThisProgram(StreamServer.Command, "--dummy-bytes", bytes, "--dummy-period", period));

    private static async Task<Seen> RunAsync(Uri server, params string[] arguments)
    {
        using var client = Process.Start(new ProcessStartInfo(
            await GoPrograms.StreamClientAsync(), ["-address", server.Authority, .. arguments])
        { RedirectStandardOutput = true, RedirectStandardError = true })!;
        var output = client.StandardOutput.ReadToEndAsync();
        var errors = client.StandardError.ReadToEndAsync();
        await client.WaitForExitAsync();
        Assert.True(client.ExitCode == 0, $"The client ended with {client.ExitCode}:\n{await output}{await errors}");
        return JsonSerializer.Deserialize<Seen>(await output, JsonSerializerOptions.Web)!;
    }

    private static void AssertAnswered(Seen seen, int requests, int? dummyBytes)
    {
        Assert.Equal(
            ("", requests, 0, true, 0, 1000), (seen.SubProtocol, seen.Replies, seen.Repeated, seen.InOrder, seen.NotText, seen.CloseCode));
        int[] lengths = dummyBytes is { } bytes ? [bytes] : [];
        Assert.Equal(lengths, seen.Dummies.Keys);
    }

    /// <summary>What the client prints.</summary>
    private sealed record Seen(
        string SubProtocol, int Replies, int Repeated, bool InOrder, int NotText, IReadOnlyDictionary<int, int> Dummies, int CloseCode);
}

/// <summary>Programs in Go, compiled with Debian's packages and without a network when a test first needs them.</summary>
public static class GoPrograms
{
    private const string Packages = "/usr/share/gocode";

    private static readonly Lazy<Task<string>> Client = new(() => BuildAsync("stream-client", Folder("GoPrograms")));
    private static readonly Lazy<Task<string>> Server = new(() => BuildAsync("stream-server", Folder("Reference")));

    /// <summary>Why these tests cannot run here: what is missing. Null: they can.</summary>
    public static string? Missing { get; } =
        !Directory.Exists($"{Packages}/src/github.com/gorilla/websocket")
            ? "Needs gorilla/websocket: install Debian's package golang-github-gorilla-websocket-dev."
        : !(Environment.GetEnvironmentVariable("PATH") ?? "").Split(':').Any(folder => File.Exists(Path.Combine(folder, "go")))
            ? "Needs Go: go is not on the PATH; install Debian's package golang-go."
        : null;

    /// <summary>The file of the client that <c>stream-client/main.go</c> describes.</summary>
    public static Task<string> StreamClientAsync() => Client.Value;

    /// <summary>The file of the reference server of the experiment stream-interference.</summary>
    public static Task<string> StreamServerAsync() => Server.Value;

    private static string Folder(string key) => typeof(GoPrograms).Assembly.GetCustomAttributes<AssemblyMetadataAttribute>()
        .Single(attribute => attribute.Key == key).Value!;

    private static async Task<string> BuildAsync(string name, string folder)
    {
        var file = Path.Combine(AppContext.BaseDirectory, name);
        var start = new ProcessStartInfo("go", ["build", "-o", file, "main.go"])
        {
            WorkingDirectory = Path.Combine(folder, name),
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["GO111MODULE"] = "off";
        start.Environment["GOPATH"] = Packages;
        start.Environment["GOFLAGS"] = "-buildvcs=false";
        using var process = Process.Start(start)!;
        var output = process.StandardOutput.ReadToEndAsync();
        var errors = process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();
        Assert.True(process.ExitCode == 0, $"go build of {name} ended with {process.ExitCode}:\n{await output}{await errors}");
        return file;
    }
}
