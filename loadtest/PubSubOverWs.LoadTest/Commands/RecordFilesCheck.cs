using System.Text.Json;
using PubSubOverWs.Experiment.Accounting;
using PubSubOverWs.Experiment.Records;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Holds the files that no report reads against the rows that every report is made from: samples/ and stats/.</summary>
public static class RecordFilesCheck
{
    private const string Mend = "take the folder again from where it was made";

    /// <summary>How many rows have their samples, each of them summed again, one attempt in memory at a time. Committed folders leave samples out.</summary>
    /// <exception cref="RecordException">Names the first file that is damaged or is not what its row says.</exception>
    public static int CountSamples(string folder, RunFolder record)
    {
        var there = record.Rows.Where(row => File.Exists(RecordFiles.Samples(folder, row.Arm, row.Iteration))).ToArray();
        foreach (var row in there)
        {
            if (Sum(folder, row) != row.Buckets)
                throw new RecordException($"{Name(RecordFiles.Samples(folder, row.Arm, row.Iteration))} does not add up to its row in iterations.csv: {Mend}.");
        }

        return there.Length;
    }

    /// <summary>How many files stats/ has, each of them JSON.</summary>
    /// <exception cref="RecordException">Names the first file that is damaged.</exception>
    public static int CountStats(string folder)
    {
        var stats = Path.Combine(folder, "stats");
        var files = Directory.Exists(stats) ? Directory.GetFiles(stats, "*.json") : [];
        foreach (var file in files.Order(StringComparer.Ordinal))
        {
            if (!IsObject(file))
                throw new RecordException($"{Name(file)} is cut or damaged: {Mend}.");
        }

        return files.Length;
    }

    // Null: an outcome with a cause that it cannot have.
    private static Buckets? Sum(string folder, IterationRow row)
    {
        try
        {
            return Accountant.Sum(RecordReader.ReadSamples(folder, row.Arm, row.Iteration), row.Buckets.Acknowledged);
        }
        catch (InvalidOperationException)
        {
            return null;
        }
    }

    private static bool IsObject(string file)
    {
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

    private static string Name(string file) => Path.Combine(Path.GetFileName(Path.GetDirectoryName(file))!, Path.GetFileName(file));
}
