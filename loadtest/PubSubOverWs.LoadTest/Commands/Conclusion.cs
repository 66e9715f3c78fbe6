using PubSubOverWs.Experiment;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Gates;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Reports;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>What <c>run</c> ends with and <c>report</c> consists of: report, validity, gates, exit code; all from the files.</summary>
public static class Conclusion
{
    /// <param name="folder">The record.</param>
    /// <param name="gates">Beside those of the scenario.</param>
    /// <param name="terminal">Gets the findings.</param>
    /// <exception cref="RecordException">The record cannot be used.</exception>
    public static async Task<ExitCode> DrawAsync(string folder, IEnumerable<string> gates, Terminal terminal)
    {
        var asked = gates.Select(Gate.Parse).ToList();
        var record = RecordReader.Read(folder);
        Report.Write(folder);
        await terminal.Output.WriteLineAsync($"report     {Path.Combine(folder, "report.md")}{(record.Run.Complete ? "" : " (of a run that is not complete)")}");
        foreach (var check in Validity.Check(record).Where(check => check.Holds == false))
            await terminal.Output.WriteLineAsync($"INVALID    {check.Name}: {check.Detail}");
        var results = GateCheck.Check(record, [.. record.Run.Scenario.Gates.Select(Gate.Parse), .. asked]);
        foreach (var result in results)
            await terminal.Output.WriteLineAsync($"gate       {result.Sentence}");
        return GateCheck.ExitCodeOf(record, results);
    }
}
