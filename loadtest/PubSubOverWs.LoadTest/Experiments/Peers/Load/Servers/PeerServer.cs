using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>A peer that runs on a free loopback port, with a folder of its own. Disposing it kills it.</summary>
internal sealed class PeerServer : IAsyncDisposable
{
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(10);

    private readonly SessionProcess _session;

    private PeerServer(int port, SessionProcess session)
    {
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
        var server = new PeerServer(place.Port, session);
        try
        {
            await session.ReadyAsync(peer.Name, place.Port, StartTimeout, cancellationToken);
            return server;
        }
        catch
        {
            await server.DisposeAsync();
            throw;
        }
    }

    public ValueTask DisposeAsync() => _session.DisposeAsync();
}
