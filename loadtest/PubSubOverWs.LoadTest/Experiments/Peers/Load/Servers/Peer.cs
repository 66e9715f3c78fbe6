using System.ComponentModel;
using System.Diagnostics;
using System.Text.RegularExpressions;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>A server that others wrote, as it is installed by a package.</summary>
/// <param name="Name">Of its arm.</param>
/// <param name="Install">The command that installs it.</param>
/// <param name="Program">Its name on the PATH.</param>
/// <param name="AskVersion">Arguments with which it says its version and ends.</param>
/// <param name="SetUp">Its configuration, and the arguments that start it.</param>
internal sealed partial record Peer(
    string Name, string Install, string Program, IReadOnlyList<string> AskVersion, Func<PeerPlace, PeerSetUp> SetUp)
{
    // Where Debian has servers; the PATH of an ordinary user lacks it.
    private const string SystemPrograms = "/usr/sbin:/usr/local/sbin";

    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(10);

    /// <summary>A file that a package of its own brings; null: none is needed.</summary>
    public string? Module { get; init; }

    /// <summary>The whole path; null: it is not here.</summary>
    public string? ProgramPath { get; } = OperatingSystem.IsLinux()
        ? PathFolders.Find(Program, $"{Environment.GetEnvironmentVariable("PATH")}:{SystemPrograms}", File.Exists)
        : null;

    /// <summary>As <see cref="FindVersionAsync"/> has found it.</summary>
    public string? Version { get; private set; }

    /// <summary>That of an arm; null: its servers are of this program.</summary>
    public static Peer? Find(Arm arm) => PeerList.All.FirstOrDefault(peer => peer.Name == arm.Name);

    /// <summary>Such as <c>2.9.10</c>; null: it is not here.</summary>
    public async Task<string?> FindVersionAsync(TimeProvider time, CancellationToken cancellationToken)
    {
        if (ProgramPath is null || (Module is { } module && !File.Exists(module)))
            return null;
        using var process = new Process
        {
            StartInfo = new(ProgramPath, AskVersion) { RedirectStandardOutput = true, RedirectStandardError = true },
        };
        try
        {
            process.Start();
        }
        catch (Win32Exception)
        {
            return null;
        }

        // Both at once: neither may wait for the other.
        var said = Task.WhenAll(
            process.StandardOutput.ReadToEndAsync(cancellationToken), process.StandardError.ReadToEndAsync(cancellationToken));
        try
        {
            return Version = ReadVersion(string.Concat(await said.WaitAsync(Patience, time, cancellationToken)));
        }
        catch (TimeoutException)
        {
            return null;
        }
        finally
        {
            process.Kill();
        }
    }

    /// <summary>The first version in what a program says; null: there is none.</summary>
    public static string? ReadVersion(string said) => VersionPattern().Match(said) is { Success: true } match ? match.Value : null;

    [GeneratedRegex(@"(?<=^|[\sv/])\d+\.\d+(\.\d+)*(?=\s|$)")]
    private static partial Regex VersionPattern();
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
