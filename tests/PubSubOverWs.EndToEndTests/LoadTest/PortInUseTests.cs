using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.EndToEndTests.LoadTest;

public sealed class PortInUseTests
{
    [Theory]
    [InlineData("direct", "DirectServer")]
    [InlineData("localsqs", "LocalSqs")]
    public async Task A_server_whose_port_is_taken_says_so_in_one_sentence_and_ends_with_5(string folder, string project)
    {
        using var taken = new TcpListener(IPAddress.Loopback, 0);
        taken.Start();
        var port = ((IPEndPoint)taken.LocalEndpoint).Port;
        var server = Path.Combine(AppContext.BaseDirectory, "servers", folder, $"PubSubOverWs.{project}.dll");
        using var process = Process.Start(new ProcessStartInfo(DotnetHost.Path, ["exec", server, "--urls", $"http://127.0.0.1:{port}"])
        {
            RedirectStandardError = true,
        })!;

        var error = await process.StandardError.ReadToEndAsync();
        await process.WaitForExitAsync();

        Assert.Equal(5, process.ExitCode);
        Assert.Contains($"127.0.0.1:{port}: address already in use. Choose another with --urls, or stop what listens there.", error);
    }
}
