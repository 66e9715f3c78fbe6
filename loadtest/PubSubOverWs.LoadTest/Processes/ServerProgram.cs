namespace PubSubOverWs.LoadTest.Processes;

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
