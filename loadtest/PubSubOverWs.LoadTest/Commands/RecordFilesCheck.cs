using System.Text.Json;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Latency;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Holds the files that no report reads, samples/ and stats/, against what every report is made from.</summary>
public static class RecordFilesCheck
{
    /// <summary>
    /// How many rows have their samples, each of them summed again and held against latency/, one attempt of a file in memory at a time, several files at
    /// once. Committed folders leave samples out.
    /// </summary>
    /// <exception cref="RecordException">Names the first file that is damaged or is not what its row says.</exception>
    public static int CountSamples(string folder, RunFolder record)
    {
        var there = record.Rows.Where(row => Path.Exists(RecordFiles.Samples(folder, row.Arm, row.Iteration))).ToArray();
        var faults = there.AsParallel().AsOrdered().Select(row => Fault(folder, record, row));
        return faults.FirstOrDefault(fault => fault is not null) is { } first ? throw first : there.Length;
    }

    /// <summary>How many files stats/ has, each of them JSON.</summary>
    /// <exception cref="RecordException">Names the first file that is damaged.</exception>
    public static int CountStats(string folder)
    {
        var stats = Path.Combine(folder, "stats");
        var files = Directory.Exists(stats) ? Directory.GetFileSystemEntries(stats, "*.json") : [];
        foreach (var file in files.Order(StringComparer.Ordinal))
        {
            if (!IsObject(file))
                throw new RecordException($"{RecordFiles.NameIn(file)} is cut or damaged: {RecordException.Mend}.");
        }

        return files.Length;
    }

    private static RecordException? Fault(string folder, RunFolder record, IterationRow row)
    {
        var file = RecordFiles.NameIn(RecordFiles.Samples(folder, row.Arm, row.Iteration));
        var histogram = new LatencyHistogram();
        try
        {
            var attempts = Counted(RecordReader.ReadSamples(folder, row.Arm, row.Iteration), record.Run.Scenario.Arrival, histogram);
            if (Accountant.Sum(attempts, row.Buckets.Acknowledged) != row.Buckets)
                return new RecordException($"{file} does not add up to its row in iterations.csv: {RecordException.Mend}.");
        }
        catch (InvalidOperationException e)
        {
            // An outcome with a cause that it cannot have.
            return new RecordException($"{file} does not add up to its row in iterations.csv: {RecordException.Mend}.", e);
        }
        catch (RecordException e)
        {
            return e;
        }

        return record.Latency.TryGetValue((row.Arm, row.Iteration), out var recorded) && !recorded.Equals(Distribution.Of(histogram))
            ? new RecordException($"{file} has other latencies than {RecordFiles.NameIn(RecordFiles.LatencyLog(folder, row.Arm, row.Users))} in iteration {row.Iteration}: {RecordException.Mend}.")
            : null;
    }

    private static IEnumerable<Attempt> Counted(IEnumerable<Attempt> attempts, Arrival arrival, LatencyHistogram histogram)
    {
        foreach (var attempt in attempts)
        {
            LatencyLog.Count(attempt, arrival, histogram);
            yield return attempt;
        }
    }

    private static bool IsObject(string file)
    {
        if (!File.Exists(file))
            return false;
        try
        {
            using var stream = File.OpenRead(file);
            using var document = JsonDocument.Parse(stream);
            return document.RootElement.ValueKind == JsonValueKind.Object;
        }
        catch (JsonException)
        {
            return false;
        }
    }
}
