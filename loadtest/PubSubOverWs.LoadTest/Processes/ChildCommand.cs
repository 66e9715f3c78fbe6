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
