namespace PubSubOverWs.LoadTest.Processes;

/// <summary>A server to start as a child process.</summary>
/// <param name="Name">In sentences and in the record: <c>direct</c>, <c>pubsub</c>, <c>localsqs</c>, <c>null-echo</c>.</param>
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
    /// <summary>The server without a queue.</summary>
    public static ChildCommand Direct(params string[] settings) => new("direct", Server("direct", "DirectServer"), settings);

    /// <summary>The server with a queue: <paramref name="settings"/> name endpoint and queue.</summary>
    public static ChildCommand PubSub(IReadOnlyDictionary<string, string>? environment, params string[] settings) =>
        new("pubsub", Server("pubsub", "PubSubServer"), settings, Environment: environment);

    /// <summary>The embedded queue.</summary>
    public static ChildCommand LocalSqs(params string[] settings) => new("localsqs", Server("localsqs", "LocalSqs"), settings, "/health");

    /// <summary>A hidden command of this program, in a process of its own.</summary>
    public static ChildCommand ThisProgram(string command, params string[] settings) =>
        new(command, typeof(ChildCommand).Assembly.Location, [command, .. settings]);

    private static string Server(string folder, string project) =>
        Path.Combine(AppContext.BaseDirectory, "servers", folder, $"PubSubOverWs.{project}.dll");
}
