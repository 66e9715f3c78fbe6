using System.CommandLine;
using PubSubOverWs.LoadTest.Runs;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary><c>report DIR</c>: makes the report of a record again from its files, and holds gates against it.</summary>
public static class ReportCommand
{
    public static Command Create(Terminal terminal)
    {
        var folder = new Argument<string>("DIR") { Description = "a record folder, such as results/paper/TIME" };
        var noise = new Option<string[]>("--noise")
        {
            Description =
                "A/A runs of the same set-up, made with run NAME --aa: no effect below their noise is called reproduced; kept in "
                    + "noise.json",
            HelpName = "DIR",
            AllowMultipleArgumentsPerToken = true,
        };
        var gates = GateOptions.Gates("what must hold for exit code 0, beside the gates of the run");
        var baseline = GateOptions.Baseline();
        var junit = GateOptions.JUnit();
        var command = new Command(
            "report",
            "Make report.md, report.json, report.html and report.csv of a record folder again, and check gates.")
                { folder, noise, gates, baseline, junit };
        command.SetAction(async (parsed, _) => (int)await Conclusion.DrawAsync(
            parsed.GetRequiredValue(folder), parsed.GetValue(gates) ?? [], parsed.GetValue(baseline), parsed.GetValue(junit), terminal,
            parsed.GetValue(noise)));
        return command;
    }
}
