using System.Net;
using System.Net.Http.Headers;
using System.Net.WebSockets;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>Servers that have users, and servers that should.</summary>
public sealed class AccessTests(AccessFiles files, SharedServers servers) : IClassFixture<AccessFiles>, IClassFixture<SharedServers>,
    IDisposable
{
    private readonly TestFolder _folder = new();

    [TheoryNeeds(Needed.Node)]
    [InlineData("false")]
    [InlineData("true")]
    public async Task Clients_from_npm_connect_with_valid_credentials_only(string tokenInQuery)
    {
        var server = await servers.DirectAsync([.. files.Settings, "--Access:TokenInQuery", tokenInQuery]);

        await NodeProject.TestAsync(
            "access.test.mjs", [.. Environment($"ws://{server.Address.Authority}/ws"), ("TOKEN_IN_QUERY", tokenInQuery)]);
    }

    [TheoryNeeds(Needed.Node)]
    [InlineData("Framework")]
    [InlineData("Lean")]
    public async Task Clients_from_npm_log_in_over_TLS(string frontEnd)
    {
        var (certificate, key) = (Path.Combine(_folder.Path, "certificate.pem"), Path.Combine(_folder.Path, "key.pem"));
        SelfMadeCertificate.Write(certificate, key);
        var port = FreePort.Find();
        string[] endpoints =
        [
            "--Kestrel:Endpoints:Http:Url", "http://127.0.0.1:0",
            "--Kestrel:Endpoints:Https:Url", $"https://127.0.0.1:{port}",
            "--Kestrel:Endpoints:Https:Certificate:Path", certificate,
            "--Kestrel:Endpoints:Https:Certificate:KeyPath", key,
        ];
        var server = await servers.DirectAsync([.. files.Settings, .. endpoints, "--Relay:FrontEnd", frontEnd]);

        await NodeProject.TestAsync(
            "access.test.mjs",
            [.. Environment($"wss://127.0.0.1:{port}/ws"), ("TOKEN_IN_QUERY", "false"), ("NODE_EXTRA_CA_CERTS", certificate)]);
        var health = await ServerProgram.RunAsync("", ["--health", "--Kestrel:Endpoints:Https:Url", $"https://127.0.0.1:{port}"]);
        Assert.Equal((0, ""), (health.ExitCode, health.Error));
    }

    [Theory]
    [InlineData("--urls", "--Kestrel:Certificates:Default", false)]
    [InlineData("--Kestrel:Endpoints:Https:Url", "--Kestrel:Endpoints:Https:Certificate", true)]
    public async Task At_an_endpoint_with_TLS_the_lean_front_end_stands_behind_it_or_is_not_there(
        string endpoint, string certificate, bool isLean)
    {
        var (file, key) = (Path.Combine(_folder.Path, "certificate.pem"), Path.Combine(_folder.Path, "key.pem"));
        SelfMadeCertificate.Write(file, key);
        var port = FreePort.Find();
        using var server = ServerProgram.Start(
            endpoint, $"https://127.0.0.1:{port}", $"{certificate}:Path", file, $"{certificate}:KeyPath", key, "--Relay:FrontEnd", "Lean",
            "--child");
        await server.ReadyAsync();

        using var plain = new System.Net.Sockets.TcpClient("127.0.0.1", port);
        await plain.GetStream().WriteAsync(
            ("GET /ws HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"u8
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"u8).ToArray());
        // TLS answers with an alert, or with the end of the connection.
        var answer = new byte[1024];
        var count = 0;
        var end = await Xunit.Record.ExceptionAsync(async () => count = await plain.GetStream().ReadAsync(answer).AsTask().Patiently());
        Assert.True(end is null or IOException, $"{end}");
        Assert.DoesNotContain("101 Switching", System.Text.Encoding.ASCII.GetString(answer, 0, count), StringComparison.Ordinal);
        using var encrypted = new ClientWebSocket { Options = { CollectHttpResponseDetails = true } };
        encrypted.Options.RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate?.Subject == "CN=127.0.0.1";
        await encrypted.ConnectAsync(new Uri($"wss://127.0.0.1:{port}/ws"), CancellationToken.None).Patiently();
        // HTTP gives each of its answers a date.
        Assert.Equal(isLean, !encrypted.HttpResponseHeaders!.ContainsKey("Date"));
    }

    [Fact]
    public async Task Stats_require_their_token_and_health_does_not()
    {
        var server = await servers.DirectAsync(files.Settings);
        using var http = new HttpClient { BaseAddress = server.Address };

        Assert.Equal(HttpStatusCode.Unauthorized, (await http.GetAsync(new Uri("/stats", UriKind.Relative))).StatusCode);
        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync(new Uri("/health/ready", UriKind.Relative))).StatusCode);
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", files.Token);
        Assert.Equal(HttpStatusCode.Unauthorized, (await http.GetAsync(new Uri("/stats", UriKind.Relative))).StatusCode);
        http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", AccessFiles.StatsToken);
        Assert.StartsWith(
            """{"server":"direct",""", await http.GetStringAsync(new Uri("/stats", UriKind.Relative)), StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("--urls", "http://0.0.0.0:0", "0.0.0.0:0")]
    [InlineData("--urls", "http://127.0.0.1:0;http://*:0", "[::]:0")]
    [InlineData("--http_ports", "0", "[::]:0")]
    [InlineData("--Kestrel:Endpoints:Http:Url", "http://[::]:0", "[::]:0")]
    public async Task Without_users_the_server_listens_on_loopback_only(string setting, string value, string endPoint)
    {
        var ended = await ServerProgram.RunAsync("", setting, value);

        Assert.Equal(
            (5, "",
                $"This server has no users, and listens on loopback only, not on {endPoint}: name a users file in Access:UsersFile "
                    + "('users add' makes one), or say --urls http://127.0.0.1:8080."),
            (ended.ExitCode, ended.Output, ended.Error));
    }

    [Fact]
    public async Task A_WebSocket_over_HTTP_2_is_refused_in_a_sentence_though_an_endpoint_speaks_it()
    {
        using var server = ServerProgram.Start(
            "--Kestrel:Endpoints:Two:Url", "http://127.0.0.1:0", "--Kestrel:Endpoints:Two:Protocols", "Http2", "--child");
        var address = await server.ListeningAsync();
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false });
        using var request = new HttpRequestMessage(HttpMethod.Connect, new Uri(address, "/ws"))
        {
            Version = HttpVersion.Version20,
            VersionPolicy = HttpVersionPolicy.RequestVersionExact,
            Headers = { Protocol = "websocket" },
        };
        request.Headers.Add("Sec-WebSocket-Version", "13");

        using var answer = await http.SendAsync(request, HttpCompletionOption.ResponseHeadersRead);

        Assert.Equal(HttpStatusCode.BadRequest, answer.StatusCode);
        Assert.Equal(
            "This server supports WebSockets over HTTP/1.1 only, not over HTTP/2: configure the client to use HTTP/1.1.\n",
            await answer.Content.ReadAsStringAsync());
    }

    [Fact]
    public async Task Open_stats_are_refused_under_any_other_host_name()
    {
        var server = await servers.DirectAsync();
        using var http = new HttpClient { BaseAddress = server.Address };

        Assert.Equal(HttpStatusCode.OK, (await http.GetAsync(new Uri("/stats", UriKind.Relative))).StatusCode);
        http.DefaultRequestHeaders.Host = $"rebound.example:{server.Address.Port}";
        Assert.Equal(HttpStatusCode.Forbidden, (await http.GetAsync(new Uri("/stats", UriKind.Relative))).StatusCode);
    }

    [Fact]
    public async Task A_client_that_is_refused_for_its_origin_is_told_why_and_the_log_says_it_once()
    {
        using var server = ServerProgram.Start("--urls", "http://127.0.0.1:0", "--child");
        var address = await server.ListeningAsync();
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false });
        foreach (var origin in new[] { "https://page.example", "load-tool", "https://page.example" })
        {
            using var handshake = new HttpRequestMessage(HttpMethod.Get, new Uri(address, "/ws"));
            foreach (var (name, value) in new[]
                     {
                         ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13"),
                         ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), ("Origin", origin),
                     })
            {
                Assert.True(handshake.Headers.TryAddWithoutValidation(name, value));
            }
            using var answer = await http.SendAsync(handshake);
            Assert.Equal(HttpStatusCode.Forbidden, answer.StatusCode);
            var body = await answer.Content.ReadAsStringAsync();
            Assert.Contains(origin, body, StringComparison.Ordinal);
            Assert.Contains("Access:Origins", body, StringComparison.Ordinal);
        }

        var log = (await server.EndAsync()).Error;

        Assert.Contains(
            "Pages of https://page.example may not connect here: to allow them, add the origin to Access:Origins.",
            log, StringComparison.Ordinal);
        Assert.Equal(1, log.Split("Access:Origins").Length - 1);
    }

    [Fact]
    public async Task With_users_the_server_listens_on_every_configured_address()
    {
        using var server = ServerProgram.Start([.. files.Settings, "--urls", "http://0.0.0.0:0", "--child"]);

        Assert.Equal("0.0.0.0", (await server.ListeningAsync()).Host);
        Assert.Equal(0, (await server.EndAsync()).ExitCode);
    }

    [Theory]
    [InlineData("Access:UsersFile", "nowhere.json", "The users file cannot be read: ")]
    [InlineData(
        "Access:Users", "alice",
        "There is no setting Access:Users, did you mean Access:UsersFile? Section Access has LockOut, MaxFailedLogins, Origins, Proxies, "
            + "StatsTokenFile, TokenInQuery, UsersFile.")]
    public async Task A_setting_that_cannot_be_used_is_refused_at_start(string setting, string value, string sentence)
    {
        var ended = await ServerProgram.RunAsync("", "--urls", "http://127.0.0.1:0", $"--{setting}", value);

        Assert.Equal(5, ended.ExitCode);
        Assert.StartsWith(sentence, ended.Error, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("true")]
    [InlineData("false")]
    public async Task No_secret_is_logged_however_much_is_logged(string tokenInQuery)
    {
        using var server = ServerProgram.Start(
        [
            .. files.Settings, "--Access:TokenInQuery", tokenInQuery, "--urls", "http://127.0.0.1:0", "--Logging:LogLevel:Default",
            "Trace",
            "--Logging:Console:LogLevel:Default", "Trace", "--Logging:Console:LogLevel:Microsoft.AspNetCore.Hosting.Diagnostics", "Trace",
            "--Logging:Console:LogLevel:Microsoft.*Hosting.Diagnostics", "Trace", "--child",
        ]);
        var address = await server.ListeningAsync();
        using (var http = new HttpClient())
        {
            http.DefaultRequestHeaders.Authorization = new AuthenticationHeaderValue("Bearer", AccessFiles.StatsToken);
            await http.GetStringAsync(new Uri(address, "/stats"));
        }
        using (var socket = new ClientWebSocket())
        {
            var connecting = socket.ConnectAsync(
                new Uri($"ws://{address.Authority}/raw?access_token={files.Token}"), CancellationToken.None);
            Assert.Equal(tokenInQuery == "true", await Xunit.Record.ExceptionAsync(() => connecting) is null);
        }
        foreach (var passcode in new[] { AccessFiles.Passcode, AccessFiles.Passcode + "!" })
            await StompUser.TryConnectAsync(address, "alice", passcode);

        var log = (await server.EndAsync()).Error;

        Assert.Contains("The login or the passcode is wrong", log, StringComparison.Ordinal);
        Assert.All(files.Secrets, secret => Assert.DoesNotContain(secret, log, StringComparison.Ordinal));
    }

    public void Dispose() => _folder.Dispose();

    private (string Name, string Value)[] Environment(string address) =>
        [("STOMP_URL", address), ("LOGIN", "alice"), ("PASSCODE", AccessFiles.Passcode), ("TOKEN", files.Token)];
}
