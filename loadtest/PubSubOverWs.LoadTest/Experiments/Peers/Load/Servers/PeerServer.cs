using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>A peer that runs on a free loopback port, with a folder of its own. Disposing it kills it.</summary>
internal sealed class PeerServer : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(10);
    private static readonly TimeSpan BetweenLooks = TimeSpan.FromMilliseconds(25);

    private readonly SessionProcess _session;
    private readonly string _name;

    private PeerServer(string name, int port, SessionProcess session)
    {
        _name = name;
        _session = session;
        Address = new Uri(Invariant($"http://127.0.0.1:{port}"));
    }

    public Uri Address { get; }

    public ProcessUse Use
    {
        get
        {
            // nginx starts its workers after it listens.
            _session.Look();
            return _session.Use;
        }
    }

    /// <param name="peer">To start.</param>
    /// <param name="port">On 127.0.0.1. If another process takes it first, the peer says so and does not start.</param>
    /// <param name="secure">With TLS, and with a user; null: without.</param>
    /// <param name="time">For its start.</param>
    /// <param name="cancellationToken">Gives up.</param>
    /// <exception cref="ChildException">It did not start.</exception>
    public static async Task<PeerServer> StartAsync(
        Peer peer, int port, SecureFiles? secure, TimeProvider time, CancellationToken cancellationToken)
    {
        var place = new PeerPlace(port, Directory.CreateTempSubdirectory("pubsub-over-ws-").FullName, secure);
        var setUp = peer.SetUp(place);
        if (setUp.Configuration is { } text)
            await File.WriteAllTextAsync(Path.Combine(place.Folder, PeerSetUp.File), text, cancellationToken);
        string[] words = [peer.ProgramPath!, .. setUp.Arguments];
        var session = await SessionProcess.StartAsync(peer.Name, place.Folder, words, time, cancellationToken);
        var server = new PeerServer(peer.Name, place.Port, session);
        try
        {
            await server.ReadyAsync(time, cancellationToken);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    public ValueTask DisposeAsync() => _session.DisposeAsync();

    private async Task ReadyAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        using var timeout = new CancellationTokenSource(StartTimeout, time);
        using var either = CancellationTokenSource.CreateLinkedTokenSource(timeout.Token, cancellationToken);
        try
        {
            if (await Race.WonAsync(stopping => AcceptedAsync(time, stopping), _session.Exited, either.Token))
                return;
        }
        catch (OperationCanceledException) when (!cancellationToken.IsCancellationRequested)
        {
            // It did not listen in time.
        }

        throw new ChildException($"{_name} did not start: {string.Join(' ', _session.LastLines)}");
    }

    private async Task AcceptedAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        while (true)
        {
            try
            {
                using var client = new TcpClient();
                await client.ConnectAsync(IPAddress.Loopback, Address.Port, cancellationToken);
                return;
            }
            catch (SocketException)
            {
                await Task.Delay(BetweenLooks, time, cancellationToken);
            }
        }
    }
}
