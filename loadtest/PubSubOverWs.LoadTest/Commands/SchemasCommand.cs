using System.CommandLine;
using PubSubOverWs.LoadTest.Experiments.Paper.Replication;
using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Runs;
using PubSubOverWs.Report.Compare;
using PubSubOverWs.Report.Results;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// The hidden command <c>schemas DIR</c>: writes the schema of every document that the program writes. The package is made with it.
/// </summary>
public static class SchemasCommand
{
    /// <summary>That of scenarios, to which the others refer, lies beside the program.</summary>
    private const string Scenario = "scenario.schema.json";

    internal static IReadOnlyList<DocumentSchema> All { get; } =
    [
        new("report", "record", ReportJson.Options, typeof(PaperModel)),
        new("standard-report", "record", ReportJson.Options, typeof(StandardModel)),
        new("compare", "record", CompareJson.Options, typeof(RunComparison)),
        new("noise", "record", NoiseJson.Options, typeof(NoiseFloor)),
        new("results", "command", ResultsJson.Options, typeof(ResultsDocument)),
        new("doctor", "command", DocumentJson.Options, typeof(ExaminationDocument)),
        new("plan", "command", DocumentJson.Options, typeof(PlanDocument)),
    ];

    public static Command Create()
    {
        var folder = new Argument<string>("DIR");
        var command = new Command("schemas") { folder };
        command.Hidden = true;
        command.SetAction(parsed =>
        {
            var to = Directory.CreateDirectory(parsed.GetRequiredValue(folder)).FullName;
            foreach (var schema in All)
                File.WriteAllText(Path.Combine(to, $"{schema.Name}.schema.json"), schema.Write());
            File.Copy(Path.Combine(AppContext.BaseDirectory, Scenario), Path.Combine(to, Scenario), overwrite: true);
        });
        return command;
    }
}
