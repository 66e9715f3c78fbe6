using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>Checks samples/ and stats/, which no report reads, against the files that reports are made from.</summary>
public static class RecordFilesCheck
{
    private const int MostStatsBytes = 1 << 20;

    /// <summary>
    /// The number of rows with samples. Each file is summed again and compared with latency/: one attempt of a file in memory at a time,
    /// several files in parallel. Committed folders have no samples.
    /// </summary>
    /// <exception cref="RecordException">Names the first file that is damaged or does not match its row.</exception>
    public static int CountSamples(string folder, RunFolder record)
    {
        if (!record.Run.KeepsSamples && RecordFiles.HasFolder(folder, "samples"))
            throw new RecordException($"samples/ exists, but run.json says that this experiment keeps none: {RecordException.Mend}.");
        var there = record.Rows.Where(row => Path.Exists(RecordFiles.Samples(folder, row.Arm, row.Iteration))).ToArray();
        CheckCount(folder, "samples", "*.csv.gz", there.Length, record);
        var faults = there.AsParallel().AsOrdered().Select(row => Fault(folder, record, row));
        return faults.FirstOrDefault(fault => fault is not null) is { } first ? throw first : there.Length;
    }

    /// <summary>The number of rows with a file in stats/, each compared with the counts of its row. Committed folders have none.</summary>
    /// <exception cref="RecordException">Names the first file that is damaged or does not match its row.</exception>
    public static int CountStats(string folder, RunFolder record)
    {
        var there = record.Rows.Where(row => Path.Exists(RecordFiles.Stats(folder, row.Arm, row.Iteration))).ToArray();
        CheckCount(folder, "stats", "*.json", there.Length, record);
        foreach (var row in there)
            CheckStats(RecordFiles.Stats(folder, row.Arm, row.Iteration), row);
        return there.Length;
    }

    // After a resume there may be files without a row, left when the run was killed.
    private static void CheckCount(string folder, string name, string pattern, int there, RunFolder record)
    {
        if (!RecordFiles.HasFolder(folder, name))
            return;
        if (there < record.Rows.Count)
            throw new RecordException(
                $"{name}/ lacks {record.Rows.Count - there} of {record.Rows.Count} files, one for each row of iterations.csv: "
                    + $"{RecordException.Mend}.");
        var files = Directory.GetFileSystemEntries(Path.Combine(folder, name), pattern).Length;
        if (files > there && record.Run is { Complete: true, Resumed: 0 })
            throw new RecordException($"{name}/ has {files - there} files without a row in iterations.csv: {RecordException.Mend}.");
    }

    private static void CheckStats(string path, IterationRow row)
    {
        var file = RecordFiles.NameIn(path);
        try
        {
            using var document = JsonDocument.Parse(RecordFiles.Text(path, file, MostStatsBytes));
            ServerStats[] servers = [.. document.RootElement.EnumerateObject()
                .Select(one => new ServerStats(one.Name, Raw(one.Value, "before"), Raw(one.Value, "after")))];
            using var delta = new StatsDelta(servers);
            if (delta.ClientBytes != row.ClientBytes || delta.Queue != row.Queue || delta.Drops != row.Drops)
                throw new RecordException(
                    $"{file} does not give the bytes, calls or drops of its row in iterations.csv: {RecordException.Mend}.");
        }
        catch (Exception error) when (error is JsonException or InvalidOperationException or KeyNotFoundException)
        {
            throw new RecordException($"{file} is cut or damaged: {RecordException.Mend}.", error);
        }
    }

    private static string? Raw(JsonElement server, string when) =>
        server.GetProperty(when) is { ValueKind: JsonValueKind.Object } told ? told.GetRawText() : null;

    private static RecordException? Fault(string folder, RunFolder record, IterationRow row)
    {
        var file = RecordFiles.NameIn(RecordFiles.Samples(folder, row.Arm, row.Iteration));
        var buckets = row.Flows.Select(_ => new BucketTally()).ToArray();
        var latencies = row.Flows.Select(_ => new LatencyHistogram()).ToArray();
        try
        {
            foreach (var attempt in RecordReader.ReadSamples(folder, row.Arm, row.Iteration, record.Run.Flows))
            {
                buckets[attempt.Flow].Add(attempt);
                FlowAccount.Count(attempt, row.Flows[attempt.Flow].Flow.Latency, latencies[attempt.Flow]);
            }
            if (row.Flows.Where((flow, i) => buckets[i].Sum(flow.Buckets.Acknowledged) != flow.Buckets).Any())
                return new RecordException($"{file} does not add up to its row in flows.csv: {RecordException.Mend}.");
        }
        catch (InvalidOperationException e)
        {
            // An outcome with a cause that it cannot have.
            return new RecordException($"{file} does not add up to its row in flows.csv: {RecordException.Mend}.", e);
        }
        catch (RecordException e)
        {
            return e;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            return new RecordException(
                $"{file} cannot be read ({e.Message.TrimEnd('.')}): check its permissions, or {RecordException.Mend}.", e);
        }

        return row.Flows.Where((flow, i) => record.Latency.TryGetValue((row.Arm, row.Iteration, flow.Flow.Name), out var recorded)
                && !recorded.Equals(Distribution.Of(latencies[i])))
            .Select(flow => new RecordException(
                $"{file} has other latencies than {RecordFiles.NameIn(RecordFiles.LatencyLog(folder, row, flow.Flow))} in iteration "
                    + $"{row.Iteration}: {RecordException.Mend}."))
            .FirstOrDefault();
    }
}
