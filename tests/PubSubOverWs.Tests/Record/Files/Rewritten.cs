using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Tests.Record.Files;

/// <summary>A record of version 1 as version 2 has it, without samples/.</summary>
internal static class Rewritten
{
    public static void Into(string folder, RunFolder record)
    {
        using (var writer = RecordWriter.Create(folder, record.Run with { Record = RunRecord.Version }))
        {
            foreach (var row in record.Rows)
                writer.Write(row, LatenciesOf(record, row), []);
            foreach (var one in record.Events)
                writer.Add(one);
        }

        if (record.Noise is { } noise)
            RecordWriter.Replace(folder, noise);
    }

    private static IReadOnlyList<LatencyHistogram> LatenciesOf(RunFolder record, IterationRow row) =>
    [
        .. row.Flows.Select(flow => record.Latency.GetValueOrDefault((row.Arm, row.Iteration, flow.Flow.Name))).OfType<Distribution>()
            .Select(counted => Distribution.Merge([counted])),
    ];
}
