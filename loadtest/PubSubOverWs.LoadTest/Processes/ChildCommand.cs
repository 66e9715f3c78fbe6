namespace PubSubOverWs.LoadTest.Processes;

/// <summary>A server to start as a child process.</summary>
/// <param name="Name">In sentences and in the record.</param>
/// <param name="Assembly">The program's .dll, started with <c>dotnet exec</c>.</param>
/// <param name="Arguments">What follows the .dll, without <c>--child</c> and <c>--urls</c>.</param>
/// <param name="HealthPath">Answers 200 once the server can be used.</param>
/// <param name="Environment">Variables beside the inherited ones: what must not stand in a list of processes, such as keys.</param>
public sealed record ChildCommand(
    string Name,
    string Assembly,
    IReadOnlyList<string> Arguments,
    string HealthPath = "/health/ready",
    IReadOnlyDictionary<string, string>? Environment = null)
{
    /// <summary>A hidden command of this program, in a process of its own.</summary>
    public static ChildCommand ThisProgram(string command, params string[] settings) =>
        new(command, typeof(ChildCommand).Assembly.Location, [command, .. settings]);
}

/// <summary>How children are started and stopped.</summary>
public sealed record ChildOptions
{
    /// <summary>
    /// The core that the child gets for itself, through <c>taskset -c</c>; null: not pinned. See <see cref="PinningPlan"/>.
    /// </summary>
    public int? Core { get; init; }

    /// <summary>From the start of the process until it is ready.</summary>
    public TimeSpan StartTimeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>
    /// From closing its standard input until it has ended; then it is killed. A server may take a long poll (5 s) and a drain.
    /// </summary>
    public TimeSpan StopTimeout { get; init; } = TimeSpan.FromSeconds(15);

    public TimeProvider Time { get; init; } = TimeProvider.System;
}

/// <summary>A server whose build output lies in <c>servers/NAME/</c> beside this program.</summary>
/// <param name="Name">Of the folder, and of its process in sentences and in the record.</param>
/// <param name="Project">Its project, without <c>PubSubOverWs.</c></param>
/// <param name="HealthPath">Answers 200 once the server can be used.</param>
public sealed record ServerProgram(string Name, string Project, string HealthPath = "/health/ready")
{
    public bool IsThere => File.Exists(Assembly);

    private string Assembly => Path.Combine(AppContext.BaseDirectory, "servers", Name, $"PubSubOverWs.{Project}.dll");

    /// <summary>How to start it.</summary>
    /// <param name="settings">Such as <c>--Sqs:Queue NAME</c>; all others keep their defaults.</param>
    public ChildCommand Command(params string[] settings) => new(Name, Assembly, settings, HealthPath);

    /// <summary>The same with variables in its environment: what must not stand in a list of processes, such as keys.</summary>
    public ChildCommand Command(IReadOnlyDictionary<string, string>? environment, params string[] settings) =>
        Command(settings) with { Environment = environment };
}
