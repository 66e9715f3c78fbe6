using System.Net;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>A pubsub server, its queue, and between them a front that fails when a test says so.</summary>
public sealed class ServerBehindFront : IAsyncLifetime
{
    public const string Name = "failing";

    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = false });
    private ChildServer _localSqs = null!;

    internal QueueFront Front { get; private set; } = null!;

    internal ChildServer Server { get; private set; } = null!;

    /// <summary>The queue itself, past the front.</summary>
    internal SqsOverHttp Sqs { get; private set; } = null!;

    /// <summary>It, by calls that the client does not make.</summary>
    internal RawSqs Raw { get; private set; } = null!;

    public async Task InitializeAsync()
    {
        _localSqs = await TestServers.QueueAsync();
        Front = new QueueFront(_localSqs.Address);
        await Front.ComeAsync();
        // What the queue does not answer is told after a second.
        Server = await StartServerAsync(Front.Address, Name, "--Queue:PublishTimeout", "00:00:01");
        Sqs = TestServers.Client(_localSqs.Address);
        Raw = new RawSqs(new ContractEndpoint(_localSqs.Address));
    }

    public async Task DisposeAsync()
    {
        Sqs.Dispose();
        Raw.Dispose();
        await Server.DisposeAsync();
        await Front.DisposeAsync();
        await _localSqs.DisposeAsync();
        _http.Dispose();
    }

    /// <summary>A server that tries a call twice, at once.</summary>
    /// <param name="settings">Those that differ from its defaults.</param>
    internal static Task<ChildServer> StartServerAsync(Uri endpoint, string queue, params string[] settings) => TestServers.PubSubAsync(
        endpoint,
        [
            "--Queue:Name", queue, "--Queue:VisibilityTimeout", "00:00:03", "--Sqs:MaxAttempts", "2", "--Sqs:RetryDelay", "00:00:00",
            .. settings,
        ]);

    /// <summary>Asks until the server is not ready for a reason that <paramref name="isIt"/>.</summary>
    internal Task<string> NotReadyAsync(Func<string, bool> isIt) =>
        AskAsync(Server, (status, reason) => status == HttpStatusCode.ServiceUnavailable && isIt(reason));

    internal Task ReadyAsync() => AskAsync(Server, (status, _) => status == HttpStatusCode.OK);

    /// <summary>Asks until the answer is what is waited for.</summary>
    internal async Task<string> AskAsync(ChildServer server, Func<HttpStatusCode, string, bool> isIt)
    {
        var reason = "";
        await Waiting.UntilAsync(async () =>
        {
            using var answer = await _http.GetAsync(new Uri(server.Address, "/health/ready"), CancellationToken.None);
            reason = await answer.Content.ReadAsStringAsync(CancellationToken.None);
            return isIt(answer.StatusCode, reason);
        });
        return reason;
    }
}
