using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>A server that others wrote.</summary>
/// <param name="Name">Of its arm.</param>
/// <param name="SetUp">Its configuration, and the arguments that start it.</param>
internal sealed record Peer(
    string Name, string Install, string Program, IReadOnlyList<string> AskVersion, Func<PeerPlace, PeerSetUp> SetUp)
    : InstalledProgram(Install, Program, AskVersion)
{
    /// <summary>That of an arm; null: its servers are of this program.</summary>
    public static Peer? Find(Arm arm) => PeerList.All.FirstOrDefault(peer => peer.Name == arm.Name);
}

/// <summary>Where a peer runs.</summary>
/// <param name="Port">On 127.0.0.1.</param>
/// <param name="Folder">Its own, for its configuration and whatever it writes.</param>
/// <param name="Secure">For TLS and a user; null: without.</param>
internal sealed record PeerPlace(int Port, string Folder, SecureFiles? Secure = null);

/// <param name="Arguments">After the program.</param>
/// <param name="Configuration">Goes into <see cref="PeerSetUp.File"/> of its folder; null: it has none.</param>
internal sealed record PeerSetUp(IReadOnlyList<string> Arguments, string? Configuration = null)
{
    /// <summary>The name of the file with the configuration.</summary>
    public const string File = "peer.conf";
}
