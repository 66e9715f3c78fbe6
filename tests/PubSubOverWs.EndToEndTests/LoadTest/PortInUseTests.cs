using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.LoadTest;

public sealed class PortInUseTests : IDisposable
{
    private readonly TcpListener _taken = new(IPAddress.Loopback, 0);

    public PortInUseTests() => _taken.Start();

    private int Port => ((IPEndPoint)_taken.LocalEndpoint).Port;

    [Theory]
    [InlineData("direct", "DirectServer", "127.0.0.1")]
    [InlineData("direct", "DirectServer", "127.0.0.1", "--Relay:FrontEnd", "Lean")]
    [InlineData("direct", "DirectServer", "localhost", "--Relay:FrontEnd", "Lean")]
    [InlineData("localsqs", "LocalSqs", "127.0.0.1")]
    public async Task A_server_whose_port_is_taken_says_so_in_one_sentence_and_ends_with_5(
        string folder, string project, string host, params string[] settings)
    {
        var server = Path.Combine(AppContext.BaseDirectory, "servers", folder, $"PubSubOverWs.{project}.dll");
        using var process = Process.Start(new ProcessStartInfo(
            DotnetHost.Path, ["exec", server, "--urls", $"http://{host}:{Port}", .. settings])
        {
            RedirectStandardError = true,
        })!;

        var error = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();

        Assert.Equal(5, process.ExitCode);
        Assert.Contains($"127.0.0.1:{Port}: address already in use. Choose another with --urls, or stop what listens there.", error);
    }

    [Fact]
    public async Task The_stream_server_does_so_too()
    {
        using var folder = new TestFolder();

        var run = await LoadTestProcess.RunAsync(folder.Path, "stream-server", "--port", $"{Port}");

        Assert.Equal(5, run.ExitCode);
        Assert.EndsWith($":{Port}: address already in use. Choose another with --port, or stop what listens there.", run.Error);
        Assert.DoesNotContain('\n', run.Error);
        Assert.Equal("", run.Output);
    }

    public void Dispose() => _taken.Dispose();
}
