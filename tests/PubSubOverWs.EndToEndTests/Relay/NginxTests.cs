using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A server behind a real nginx on the same host, set up as docs/reference/security.md has it.</summary>
public sealed class NginxTests(AccessFiles files) : IClassFixture<AccessFiles>, IDisposable
{
    private const string Wrong = "The login or the passcode is wrong: check both.";

    private static readonly string[] TemporaryPaths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];

    private readonly TestFolder _folder = new();
    private readonly int _port = FreePort.Find();

    [FactNeeds(Needed.Nginx)]
    public async Task Clients_are_locked_out_by_their_own_address_and_cannot_make_one_up()
    {
        await using var server = await StartAsync("127.0.0.1");
        using var nginx = await NginxAsync(server.Address);
        var front = new Uri($"wss://127.0.0.1:{_port}/ws");
        for (var guess = 0; guess < 2; guess++)
            Assert.Equal(Wrong, await LogInAsync(front, "127.0.0.2", "wrong"));

        AssertLockedOut(await LogInAsync(front, "127.0.0.2", AccessFiles.Passcode));
        AssertLockedOut(await LogInAsync(front, "127.0.0.2", AccessFiles.Passcode, forwardedFor: "192.0.2.9"));
        Assert.Null(await LogInAsync(front, "127.0.0.3", AccessFiles.Passcode));
        // Now it is remembered, and others at an address do not keep it out.
        Assert.Null(await LogInAsync(front, "127.0.0.2", AccessFiles.Passcode));

        // Past nginx, from an address that is no proxy's, the header says nothing.
        var direct = new Uri($"ws://{server.Address.Authority}/ws");
        for (var guess = 0; guess < 2; guess++)
            Assert.Equal(Wrong, await LogInAsync(direct, "127.0.0.4", "wrong", forwardedFor: $"192.0.2.{guess}"));
        AssertLockedOut(await LogInAsync(direct, "127.0.0.4", "wrong", forwardedFor: "192.0.2.7"));
    }

    [FactNeeds(Needed.Nginx)]
    public async Task Without_a_trusted_proxy_all_clients_behind_it_share_one_address()
    {
        await using var server = await StartAsync(proxies: "");
        using var nginx = await NginxAsync(server.Address);
        var front = new Uri($"wss://127.0.0.1:{_port}/ws");
        for (var guess = 0; guess < 2; guess++)
            Assert.Equal(Wrong, await LogInAsync(front, "127.0.0.2", "wrong"));

        AssertLockedOut(await LogInAsync(front, "127.0.0.3", AccessFiles.Passcode));
    }

    public void Dispose() => _folder.Dispose();

    private static void AssertLockedOut(string? error) =>
        Assert.StartsWith("Too many logins from your address were wrong", error, StringComparison.Ordinal);

    private Task<ChildServer> StartAsync(string proxies) =>
        TestServers.DirectAsync([.. files.Settings, "--Access:Proxies", proxies, "--Access:MaxFailedLogins", "2"]);

    // The example of the documentation, with the ports and files of this test.
    private async Task<RunningNginx> NginxAsync(Uri server)
    {
        var (certificate, key) = (Path.Combine(_folder.Path, "certificate.pem"), Path.Combine(_folder.Path, "key.pem"));
        SelfMadeCertificate.Write(certificate, key);
        var text = await File.ReadAllTextAsync(Path.Combine(AppContext.BaseDirectory, "security.md"));
        var start = text.IndexOf("```nginx\n", StringComparison.Ordinal) + "```nginx\n".Length;
        var example = text[start..text.IndexOf("```", start, StringComparison.Ordinal)];
        foreach (var (theirs, ours) in new[]
                 {
                     ("listen 443 ssl;", $"listen 127.0.0.1:{_port} ssl;"),
                     ("/etc/ssl/chat.example.org.pem", certificate),
                     ("/etc/ssl/chat.example.org.key", key),
                     ("http://127.0.0.1:5000", server.GetLeftPart(UriPartial.Authority)),
                 })
        {
            Assert.Contains(theirs, example, StringComparison.Ordinal);
            example = example.Replace(theirs, ours, StringComparison.Ordinal);
        }
        var temporary = string.Concat(TemporaryPaths.Select(name => $"{name}_temp_path {_folder.Path}/{name};\n"));
        var configuration = Path.Combine(_folder.Path, "nginx.conf");
        await File.WriteAllTextAsync(
            configuration, $"daemon off;\nmaster_process off;\npid {_folder.Path}/nginx.pid;\nerror_log stderr;\n"
            + $"events {{}}\nhttp {{\naccess_log off;\n{temporary}{example}}}\n");
        var program = new ProcessStartInfo(Needs.Nginx, ["-p", _folder.Path, "-e", "stderr", "-c", configuration]);
        var nginx = new RunningNginx(Process.Start(program)!);
        await Waiting.UntilAsync(async () =>
        {
            Assert.True(nginx.IsRunning, "nginx ended.");
            using var client = new TcpClient();
            return await Xunit.Record.ExceptionAsync(() => client.ConnectAsync(IPAddress.Loopback, _port)) is null;
        });
        return nginx;
    }

    // Null: it was let in. Otherwise the sentence of its ERROR.
    private static async Task<string?> LogInAsync(Uri address, string from, string passcode, string? forwardedFor = null)
    {
        using var handler = new SocketsHttpHandler { UseProxy = false };
        handler.ConnectCallback = (context, token) => ConnectAsync(from, context.DnsEndPoint.Port, token);
        handler.SslOptions.RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate?.Subject == "CN=127.0.0.1";
        using var invoker = new HttpMessageInvoker(handler);
        using var socket = new ClientWebSocket();
        socket.Options.AddSubProtocol("v12.stomp");
        if (forwardedFor is not null)
            socket.Options.SetRequestHeader("X-Forwarded-For", forwardedFor);
        await socket.ConnectAsync(address, invoker, CancellationToken.None);
        var connect = $"CONNECT\naccept-version:1.2\nhost:x\nlogin:alice\npasscode:{passcode}\n\n\0";
        await socket.SendAsync(Encoding.UTF8.GetBytes(connect), WebSocketMessageType.Text, true, CancellationToken.None);
        var buffer = new byte[4096];
        var answer = Encoding.UTF8.GetString(buffer, 0, (await socket.ReceiveAsync(buffer, CancellationToken.None)).Count);
        return answer.StartsWith("CONNECTED\n", StringComparison.Ordinal)
            ? null
            : answer[(answer.IndexOf("\n\n", StringComparison.Ordinal) + 2)..].TrimEnd('\0');
    }

    private static async ValueTask<Stream> ConnectAsync(string from, int port, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Parse(from), 0));
        await socket.ConnectAsync(IPAddress.Loopback, port, cancellationToken);
        return new NetworkStream(socket, ownsSocket: true);
    }

    private sealed class RunningNginx(Process process) : IDisposable
    {
        public bool IsRunning => !process.HasExited;

        public void Dispose()
        {
            process.Kill();
            process.WaitForExit();
            process.Dispose();
        }
    }
}
