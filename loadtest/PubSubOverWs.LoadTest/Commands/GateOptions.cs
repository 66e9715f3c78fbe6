using System.CommandLine;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>The options that <c>run</c> and <c>report</c> share.</summary>
public static class GateOptions
{
    public static Option<string[]> Gates(string description) =>
        new("--gate")
        {
            Description =
                $"{description}, such as \"pubsub.loss == 0\" or \"warn: pubsub.latency.mean / direct.latency.mean < 8\"; may be repeated",
            HelpName = "EXPR"
        };

    public static Option<string?> Baseline() =>
        new("--baseline")
        {
            Description = "a record folder for gates that name it, such as \"pubsub.latency.mean <= baseline * 1.10 + 2ms\"",
            HelpName = "DIR"
        };

    public static Option<string?> JUnit() => new("--junit") { Description = "a file for the gates as JUnit XML", HelpName = "FILE" };
}
