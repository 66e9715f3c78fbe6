using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.LoadTest.Commands;

/// <summary>
/// Checks samples.csv.gz and stats.jsonl, which no report reads and committed folders leave out, against the files that reports are made
/// from.
/// </summary>
public static class RecordFilesCheck
{
    private static readonly string Samples = RecordFiles.Name(RecordFiles.Samples(""));
    private static readonly string Stats = RecordFiles.Name(RecordFiles.Stats(""));

    /// <summary>Sums every attempt again, one in memory at a time, and compares the sums with flows.csv and latency.hlog.</summary>
    /// <returns>False: the folder has no samples.</returns>
    /// <exception cref="RecordException">Names the first row that its samples do not give.</exception>
    public static bool CheckSamples(string folder, RunFolder record)
    {
        if (!RecordFiles.Exists(RecordFiles.Samples(folder)))
            return false;
        if (!record.Run.KeepsSamples)
            throw new RecordException($"{Samples} exists, but run.json says that this experiment keeps none: {RecordException.Mend}.");
        var rows = new RowsOf(Samples, record);
        SampleSum? sum = null;
        try
        {
            foreach (var sample in SampleFile.Read(folder, record.Run.Flows))
            {
                if (sum?.IsOf(sample) != true)
                {
                    sum?.Check(record);
                    sum = new SampleSum(sample.Arm, sample.Iteration, rows.Next(sample.Arm, sample.Iteration));
                }
                sum.Add(sample.Attempt);
            }
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw RecordException.Unreadable(Samples, error);
        }
        sum?.Check(record);
        rows.DemandAll(row => row.Flows.Any(flow => flow.Buckets.Attempts > 0));
        return true;
    }

    /// <summary>Compares each line with the counts of its row.</summary>
    /// <returns>False: the folder has none.</returns>
    /// <exception cref="RecordException">Names the first row that its line does not give.</exception>
    public static bool CheckStats(string folder, RunFolder record)
    {
        if (!RecordFiles.Exists(RecordFiles.Stats(folder)))
            return false;
        var rows = new RowsOf(Stats, record);
        foreach (var line in StatsLine.ReadAll(folder))
        {
            if (rows.Next(line.Arm, line.Iteration) is { } row)
                CheckStats(line, row);
        }
        rows.DemandAll(_ => true);
        return true;
    }

    private static void CheckStats(StatsLine line, IterationRow row)
    {
        using var delta = new StatsDelta(line.Servers);
        if (delta.ClientBytes != row.ClientBytes || delta.Queue != row.Queue || delta.Drops != row.Drops)
            throw new RecordException(
                $"{Stats} does not give the bytes, calls or drops of {row.Arm}, iteration {row.Iteration}, in iterations.csv: "
                    + $"{RecordException.Mend}.");
    }

    /// <summary>The rows that a file has something of, each in one place.</summary>
    private sealed class RowsOf(string file, RunFolder record)
    {
        private readonly Dictionary<(string Arm, int Iteration), IterationRow> _rows =
            record.Rows.ToDictionary(row => (row.Arm, row.Iteration));

        private readonly HashSet<(string Arm, int Iteration)> _found = [];

        /// <returns>Null: there is no row, as where a run was killed.</returns>
        public IterationRow? Next(string arm, int iteration)
        {
            if (!_found.Add((arm, iteration)))
                throw new RecordException($"{file} has {arm}, iteration {iteration}, in two places: {RecordException.Mend}.");
            return _rows.GetValueOrDefault((arm, iteration));
        }

        public void DemandAll(Predicate<IterationRow> isWritten)
        {
            var missing = record.Rows.Where(row => isWritten(row) && !_found.Contains((row.Arm, row.Iteration))).ToArray();
            if (missing is [var first, ..])
                throw new RecordException(
                    $"{file} lacks {missing.Length} of {record.Rows.Count} rows of iterations.csv, the first {first.Arm}, iteration "
                        + $"{first.Iteration}: {RecordException.Mend}.");
            if (record.Run is { Complete: true, Resumed: 0 } && _found.Except(_rows.Keys).FirstOrDefault() is { Arm: not null } other)
                throw new RecordException(
                    $"{file} has {other.Arm}, iteration {other.Iteration}, which has no row in iterations.csv: {RecordException.Mend}.");
        }
    }

    /// <summary>The attempts of a row, added up again.</summary>
    /// <param name="row">Null: there is none, so that nothing needs to add up.</param>
    private sealed class SampleSum(string arm, int iteration, IterationRow? row)
    {
        private readonly BucketTally[] _buckets = [.. row?.Flows.Select(_ => new BucketTally()) ?? []];
        private readonly LatencyHistogram[] _latencies = [.. row?.Flows.Select(_ => new LatencyHistogram()) ?? []];

        public bool IsOf(in Sample sample) => sample.Iteration == iteration && sample.Arm == arm;

        public void Add(in Attempt attempt)
        {
            if (row is null)
                return;
            _buckets[attempt.Flow].Add(attempt);
            FlowAccount.Count(attempt, row.Flows[attempt.Flow].Flow.Latency, _latencies[attempt.Flow]);
        }

        public void Check(RunFolder record)
        {
            for (var i = 0; i < row?.Flows.Count; i++)
            {
                var flow = row.Flows[i];
                if (BucketsAt(i, flow.Buckets.Acknowledged) != flow.Buckets)
                    throw new RecordException(
                        $"{Samples} does not add up to {arm}, iteration {iteration}, in flows.csv: {RecordException.Mend}.");
                if (record.Latency.TryGetValue((arm, iteration, flow.Flow.Name), out var recorded)
                    && !recorded.Equals(Distribution.From(_latencies[i])))
                    throw new RecordException(
                        $"{Samples} has other latencies of {arm}, iteration {iteration}, than latency.hlog: {RecordException.Mend}.");
            }
        }

        // Null: an outcome has a cause that it cannot have.
        private Buckets? BucketsAt(int flow, long acknowledged)
        {
            try
            {
                return _buckets[flow].Sum(acknowledged);
            }
            catch (InvalidOperationException)
            {
                return null;
            }
        }
    }
}
