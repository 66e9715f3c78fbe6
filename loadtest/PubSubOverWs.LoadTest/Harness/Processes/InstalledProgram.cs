using System.ComponentModel;
using System.Diagnostics;
using System.Text.RegularExpressions;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>A program that others wrote, as a package installs it.</summary>
/// <param name="Install">The command that installs it.</param>
/// <param name="Program">Its name on the PATH, or its path.</param>
/// <param name="AskVersion">Arguments with which it says its version and ends.</param>
internal partial record InstalledProgram(string Install, string Program, IReadOnlyList<string> AskVersion)
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

    [GeneratedRegex(@"(?<=^|[\sv/=])\d+\.\d+(\.\d+)*(?=\s|$)")]
    private static partial Regex VersionPattern();
}
