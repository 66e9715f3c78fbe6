using System.ComponentModel;
using System.Diagnostics;

namespace PubSubOverWs.LocalStackTests;

/// <summary>Whether containers can be started here.</summary>
public static class Docker
{
    private static readonly Lazy<string?> Problem = new(FindProblem);

    /// <summary>Why these tests cannot run here. Null: they can.</summary>
    public static string? Missing => Problem.Value;

    private static string? FindProblem()
    {
        try
        {
            using var docker = Process.Start(
                new ProcessStartInfo("docker", ["version"]) { RedirectStandardOutput = true, RedirectStandardError = true })!;
            docker.OutputDataReceived += static (_, _) => { };
            docker.BeginOutputReadLine();
            var error = docker.StandardError.ReadToEnd();
            docker.WaitForExit();
            return docker.ExitCode == 0 ? null : $"Needs Docker, for LocalStack: docker version says {error.Trim().Split('\n')[^1]}";
        }
        catch (Win32Exception)
        {
            return "Needs Docker, for LocalStack: docker is not on the PATH.";
        }
    }
}
