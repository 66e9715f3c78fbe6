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

    /// <summary>How to start it.</summary>
    /// <param name="settings">Such as <c>--Sqs:Queue NAME</c>; all others keep their defaults.</param>
    public ChildCommand Command(params string[] settings) => new(Name, Assembly, settings, HealthPath);

    /// <summary>The same with variables in its environment: for values, such as keys, that a list of processes must not show.</summary>
    public ChildCommand Command(IReadOnlyDictionary<string, string>? environment, params string[] settings) =>
        Command(settings) with { Environment = environment };
}
