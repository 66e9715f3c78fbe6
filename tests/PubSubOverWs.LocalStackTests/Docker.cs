using System.ComponentModel;
using System.Diagnostics;

namespace PubSubOverWs.LocalStackTests;

/// <summary>Whether containers can be started here.</summary>
public static class Docker
{
    public const string ComposeVersion1 = "docker-compose";

    private static readonly Lazy<string?> Problem = new(FindProblem);

    /// <summary>Why these tests cannot run here. Null: they can.</summary>
    public static string? Missing => Problem.Value;

    /// <summary>How Compose is called. Null: it is not installed.</summary>
    public static string? Compose { get; } = Array.Find(["docker compose", ComposeVersion1], command => Ask($"{command} version") is null);

    private static string? FindProblem() => Ask("docker version") is { } problem
        ? $"Needs Docker 25 or newer, running; or, as root with Debian's docker.io and docker-compose, .ci/docker: {problem}"
        : null;

    /// <summary>Null: the command ended well.</summary>
    private static string? Ask(string command)
    {
        var words = command.Split(' ');
        try
        {
            using var docker = Process.Start(
                new ProcessStartInfo(words[0], words[1..]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            docker.OutputDataReceived += static (_, _) => { };
            docker.BeginOutputReadLine();
            var error = docker.StandardError.ReadToEnd();
            docker.WaitForExit();
            return docker.ExitCode == 0 ? null : $"{command} says {error.Trim().Split('\n')[^1]}";
        }
        catch (Win32Exception)
        {
            return $"{words[0]} is not on the PATH.";
        }
    }
}
