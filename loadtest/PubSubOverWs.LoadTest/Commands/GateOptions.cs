using System.CommandLine;
using PubSubOverWs.LoadTest.Runs;
using PubSubOverWs.LoadTest.Targets.Relay;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The options that <c>run</c> and <c>report</c> share.</summary>
public static class GateOptions
{
    private static string Direct => DirectTarget.Kind;

    private static string PubSub => PubSubTarget.Kind;

    public static Option<string[]> Gates(string description) =>
        new("--gate")
        {
            Description =
                $"{description}, such as \"{PubSub}.loss == 0\" or \"warn: {PubSub}.latency.mean / {Direct}.latency.mean < 8\"; may be "
                    + "repeated",
            HelpName = "EXPR"
        };

    public static Option<string?> Baseline() =>
        new("--baseline")
        {
            Description = $"a record folder for gates that name it, such as \"{BaselineFolder.Example}\"",
            HelpName = "DIR"
        };

    public static Option<string?> JUnit() => new("--junit") { Description = "a file for the gates as JUnit XML", HelpName = "FILE" };
}
