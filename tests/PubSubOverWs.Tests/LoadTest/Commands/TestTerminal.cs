using System.CommandLine;
using System.Text;
using PubSubOverWs.LoadTest.Commands;
using PubSubOverWs.LoadTest.Harness;

namespace PubSubOverWs.Tests.LoadTest.Commands;

/// <summary>A terminal that keeps what is written to it, and a way to run the program on it.</summary>
public sealed class TestTerminal
{
    private readonly StringBuilder _output = new();
    private readonly StringBuilder _error = new();

    public TestTerminal() =>
        Terminal = new Terminal(new StringWriter(_output), new StringWriter(_error), IsLive: false, Time)
        { Variable = name => Variables.GetValueOrDefault(name) };

    /// <summary>The environment: none of this process's own.</summary>
    public Dictionary<string, string> Variables { get; } = [];

    public FakeTime Time { get; } = new();

    public Terminal Terminal { get; }

    public string Output => _output.ToString();

    public string Error => _error.ToString();

    /// <summary>The exit code of the program called with <paramref name="arguments"/>, split at spaces.</summary>
    public Task<int> RunAsync(string arguments) => RunAsync(arguments.Split(' ', StringSplitOptions.RemoveEmptyEntries));

    public Task<int> RunAsync(params string[] arguments) =>
        CommandLine.RunAsync(arguments, Commands(arguments), Terminal, CancellationToken.None);

    /// <summary>All commands of the program that its help lists.</summary>
    public IReadOnlyList<Command> Commands(params string[] arguments) =>
    [
        RunCommand.Create(Terminal),
        ReportCommand.Create(Terminal),
        CompareCommand.Create(Terminal),
        ResultsCommand.Create(Terminal),
        OpenCommand.Create(Terminal),
        ValidateCommand.Create(Terminal),
        CiteCommand.Create(Terminal),
        InitCommand.Create(Terminal),
        PaperCommand.Create(Terminal),
        DoctorCommand.Create(Terminal),
        QueuesCommand.Create(Terminal),
        StreamServerCommand.Create(arguments),
        JoinCommand.Create(arguments, Terminal),
        VersionCommand.Create(),
    ];
}
