using System.Runtime.InteropServices;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>A server to start as a child process.</summary>
/// <param name="Name">In messages and in the record.</param>
/// <param name="Assembly">The program's .dll, started with <c>dotnet exec</c>.</param>
/// <param name="Arguments">Arguments after the .dll, without <c>--child</c> and <c>--urls</c>.</param>
/// <param name="HealthPath">Answers 200 once the server is ready.</param>
/// <param name="Environment">Added to the inherited variables: for values, such as keys, that a list of processes must not show.</param>
public sealed record ChildCommand(
    string Name,
    string Assembly,
    IReadOnlyList<string> Arguments,
    string HealthPath = "/health/ready",
    IReadOnlyDictionary<string, string>? Environment = null)
{
    /// <summary>
    /// Variables of a server under test that is a command of this program. As in the servers that are programs of their own, what is called
    /// often is compiled again without waiting: docs/decisions/0189-idle-threads-and-hot-code.md.
    /// </summary>
    public static IReadOnlyDictionary<string, string> OfServers { get; } =
        new Dictionary<string, string> { ["DOTNET_TC_CallCountingDelayMs"] = "0" };

    /// <summary>The same, with the server garbage collector, which web projects have by default and this program has not.</summary>
    public static IReadOnlyDictionary<string, string> OfWebServers { get; } =
        new Dictionary<string, string>(OfServers) { ["DOTNET_gcServer"] = "1" };

    /// <summary>A hidden command of this program, as a separate process.</summary>
    public static ChildCommand ThisProgram(string command, params string[] settings) =>
        new(command, typeof(ChildCommand).Assembly.Location, [command, .. settings]);
}

/// <summary>How children are started and stopped.</summary>
public sealed record ChildOptions
{
    /// <summary>The core of the child (<c>taskset -c</c>); null: not pinned. See <see cref="PinningPlan"/>.</summary>
    public int? Core { get; init; }

    /// <summary>From the start of the process until it is ready.</summary>
    public TimeSpan StartTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>From closing its standard input until it is killed. A server may need a long poll (5 s) and a drain.</summary>
    public TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(15);

    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>A server whose build output is in <c>servers/NAME/</c> beside this program.</summary>
/// <param name="Name">The name of the folder, and of the process in messages and in the record.</param>
/// <param name="Project">The project, without <c>PubSubOverWs.</c></param>
/// <param name="HealthPath">Answers 200 once the server is ready.</param>
public sealed record ServerProgram(string Name, string Project, string HealthPath = "/health/ready")
{
    public bool IsThere => File.Exists(Assembly);

    private string Assembly => Path.Combine(AppContext.BaseDirectory, "servers", Name, $"PubSubOverWs.{Project}.dll");

    /// <summary>The same program of another build.</summary>
    /// <param name="folder">That of the other build, with its <c>servers/</c>.</param>
    /// <param name="assembly">Of this build.</param>
    public static string In(string folder, string assembly) =>
        Path.Combine(Path.GetFullPath(folder), Path.GetRelativePath(AppContext.BaseDirectory, assembly));

    /// <summary>How to start it.</summary>
    /// <param name="settings">Such as <c>--Queue:Name NAME</c>; all others keep their defaults.</param>
    public ChildCommand Command(params string[] settings) => new(Name, Assembly, settings, HealthPath);

    /// <summary>The same with variables in its environment: for values, such as keys, that a list of processes must not show.</summary>
    public ChildCommand Command(IReadOnlyDictionary<string, string>? environment, params string[] settings) =>
        Command(settings) with { Environment = environment };
}

/// <summary>Why a child did not start, or how it ended, in one sentence with the end of its output.</summary>
public static class ChildFailure
{
    public static ChildException Ended(ChildCommand command, ChildExit exit) => exit.ExitCode switch
    {
        // A setting, a port or credentials: the child's own sentence says which, and what to do.
        ChildException.BadUsage => new(
            $"The {command.Name} server cannot start with its settings: "
                + $"{(exit.LastLines.Count == 0 ? "it gave no reason." : exit.LastLines[^1])}",
            ChildException.BadUsage),
        ChildException.Unreachable => new(
            $"The {command.Name} server could not reach its queue: check that the endpoint runs and answers.{Wrote(exit.LastLines)}"),
        _ => new(
            $"The {command.Name} server ended with exit code {exit.ExitCode} before it was ready; "
                + $"see its last lines for the reason.{Wrote(exit.LastLines)}"),
    };

    public static ChildException NotReady(ChildCommand command, TimeSpan timeout, IReadOnlyList<string> lastLines) => new(
        $"The {command.Name} server did not answer 200 at {command.HealthPath} within {timeout.TotalSeconds:0} s, "
            + $"and was stopped.{Wrote(lastLines)}");

    public static ChildException EndedByItself(string name, ChildExit exit) => new(
        $"The {name} server ended unexpectedly with exit code {exit.ExitCode}.{Wrote(exit.LastLines)}");

    public static ChildException EndedBadly(string name, ChildExit exit) => new(
        $"The {name} server did not stop cleanly: {exit.AsAsked}.{Wrote(exit.LastLines)}");

    private static string Wrote(IReadOnlyList<string> lines) =>
        lines.Count == 0 ? " It had no output." : string.Join(Environment.NewLine + "  ", lines.Prepend(" Its last output:"));
}

/// <summary>A child could not be started or used. The message is one sentence for the user: the cause, and what to do.</summary>
public sealed class ChildException(string message, int exitCode = ChildException.Unreachable) : Exception(message)
{
    /// <summary>The child cannot use its settings: a port in use, no credentials for its queue.</summary>
    public const int BadUsage = 5;

    /// <summary>A server or the queue could not be reached.</summary>
    public const int Unreachable = 10;

    /// <summary>The exit code of this program (docs/reference/record.md).</summary>
    public int ExitCode { get; } = exitCode;
}

/// <summary>The <c>dotnet</c> that runs this program, for its children, whatever the PATH names.</summary>
public static class DotnetHost
{
    public static string Path { get; } = Find(Environment.ProcessPath, RuntimeEnvironment.GetRuntimeDirectory());

    /// <param name="processPath">This process: <c>dotnet</c> itself, or an executable with the host in it.</param>
    /// <param name="runtimeDirectory"><c>ROOT/shared/Microsoft.NETCore.App/VERSION/</c>.</param>
    public static string Find(string? processPath, string runtimeDirectory)
    {
        if (System.IO.Path.GetFileNameWithoutExtension(processPath) == "dotnet")
            return processPath!;
        var name = OperatingSystem.IsWindows() ? "dotnet.exe" : "dotnet";
        var beside = System.IO.Path.GetFullPath(System.IO.Path.Combine(runtimeDirectory, "..", "..", "..", name));
        return File.Exists(beside) ? beside : name;
    }
}

/// <summary>
/// Environment variables that a child must not inherit. Only the run sets the access, addresses and behaviour of its servers, and records
/// them: a setting in the user's shell would make the arms unequal without anyone noticing.
/// </summary>
public static class InheritedSettings
{
    /// <summary>Prefixes that ASP.NET Core removes when it reads variables as settings.</summary>
    private static readonly string[] Prefixes = ["ASPNETCORE_", "DOTNET_", ""];

    private static readonly string[] Sections = ["Access", "Kestrel", "URLS", "HTTP_PORTS", "HTTPS_PORTS", "Direct", "Relay", "Queue",
        "Sqs", "LocalSqs", "Redis", "Nats", "RabbitMq"];

    /// <summary>Kept for the user's own queue, such as that of <c>--sqs-endpoint</c>; for every other queue the run sets them.</summary>
    private static readonly string[] Keys =
    [
        "Sqs:AccessKey", "Sqs:SecretKey", "Sqs:SessionToken", "Redis:User", "Redis:Password", "Nats:User", "Nats:Password",
        "RabbitMq:User", "RabbitMq:Password", "RabbitMq:VirtualHost",
    ];

    public static bool AreKept(string variable) =>
        !variable.StartsWith("OTEL_", StringComparison.OrdinalIgnoreCase)
        && !Prefixes.Any(prefix => variable.StartsWith(prefix, StringComparison.OrdinalIgnoreCase) && IsSet(variable[prefix.Length..]));

    // Both separate a section from its settings.
    private static bool IsSet(string variable)
    {
        var setting = variable.Replace("__", ":", StringComparison.Ordinal);
        return Sections.Contains(setting.Split(':')[0], StringComparer.OrdinalIgnoreCase)
            && !Keys.Contains(setting, StringComparer.OrdinalIgnoreCase);
    }
}
