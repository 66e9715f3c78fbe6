using System.Net.Sockets;
using System.Text;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>More clients than a server may have descriptors, of which it needs about 200 for itself.</summary>
public sealed class DescriptorTests
{
    private const string Handshake = "GET /ws HTTP/1.1\r\nHost: test\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

    [TheoryNeeds(Needed.Linux)]
    [InlineData("direct", "Framework")]
    [InlineData("direct", "Lean")]
    [InlineData("LocalSqs", "")]
    public async Task A_server_without_descriptors_says_so_once_waits_and_lives(string program, string frontEnd)
    {
        string[] settings = ["--urls", "http://127.0.0.1:0", "--child"];
        var command = program == "direct"
            ? DirectTarget.Program.Command(["--Relay:FrontEnd", frontEnd, .. settings]) : SqsPrograms.LocalSqs.Command(settings);
        using var server = ServerProgram.Start(command, "prlimit", "--nofile=240:240");
        var address = await server.ListeningAsync();
        var request = program == "direct" ? Handshake : "GET /health HTTP/1.1\r\nHost: test\r\n\r\n";

        var clients = new List<Socket>();
        for (var i = 0; i < 70; i++)
            clients.Add(await SendAsync(address, request));
        await Waiting.UntilAsync(() => server.Log.Any(IsTold) || server.HasEnded);
        // Nothing of them can be taken while these are open.
        clients.Take(35).ToList().ForEach(client => client.Dispose());
        await Task.WhenAll(clients.Skip(35).Select(DrainedAsync));

        using var proper = await SendAsync(address, request);
        Assert.StartsWith("HTTP/1.1 ", await AnswerAsync(proper), StringComparison.Ordinal);
        var ended = await server.EndAsync();
        Assert.Equal(0, ended.ExitCode);
        Assert.Single(server.Log, IsTold);
        Assert.Equal(program == "direct", ended.Error.Contains("This process may have 240 files and sockets", StringComparison.Ordinal));
    }

    private static bool IsTold(string line) => line.Contains("No connection can be taken at ", StringComparison.Ordinal);

    private static async Task<Socket> SendAsync(Uri server, string request)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        await socket.ConnectAsync(server.Host, server.Port);
        await socket.SendAsync(Encoding.ASCII.GetBytes(request));
        return socket;
    }

    // Those that are open get their answers, one after the other as others leave.
    private static async Task DrainedAsync(Socket client)
    {
        await AnswerAsync(client);
        client.Dispose();
    }

    private static async Task<string> AnswerAsync(Socket client)
    {
        var answer = new byte[1024];
        return Encoding.ASCII.GetString(answer, 0, await client.ReceiveAsync(answer).Patiently());
    }
}
