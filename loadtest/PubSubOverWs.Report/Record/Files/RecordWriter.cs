using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// Writes a record folder while the run goes on. It may be killed at any time: what other files have of an iteration is whole before its
/// row is written, lines only ever come at the end, and run.json is replaced whole. Not for several threads.
/// </summary>
public sealed class RecordWriter : IDisposable
{
    private readonly FileStream _iterations;
    private readonly FileStream _events;
    private readonly FileStream _flows;
    private readonly FileStream _latency;
    private readonly FileStream _stats;
    private readonly FileStream? _measures;
    private readonly FileStream? _samples;
    private readonly Scenario _scenario;

    private RecordWriter(string folder, Scenario scenario)
    {
        Folder = folder;
        _scenario = scenario;
        _samples = scenario.Kind.KeepsSamples ? RecordFiles.OpenToAppend(RecordFiles.Samples(folder)) : null;
        _stats = RecordFiles.OpenToAppend(RecordFiles.Stats(folder));
        _latency = RecordFiles.OpenToAppend(RecordFiles.Latency(folder));
        _flows = RecordFiles.OpenToAppend(RecordFiles.Flows(folder));
        _measures = scenario.Measures.Count > 0 ? RecordFiles.OpenToAppend(RecordFiles.Measures(folder)) : null;
        _iterations = RecordFiles.OpenToAppend(RecordFiles.Iterations(folder));
        _events = RecordFiles.OpenToAppend(RecordFiles.Events(folder));
    }

    public string Folder { get; }

    /// <exception cref="RecordException">The folder already holds one.</exception>
    public static RecordWriter Create(string folder, RunRecord run)
    {
        if (File.Exists(RecordFiles.Run(folder)) || File.Exists(RecordFiles.Iterations(folder)))
            throw new RecordException($"{folder} already holds a run: choose another folder, or resume that run.");
        RecordFiles.Replace(RecordFiles.Iterations(folder), Csv.Line(IterationCsv.Header(run.Scenario.Factors)) + "\n");
        RecordFiles.Replace(RecordFiles.Events(folder), Csv.Line(EventCsv.Header) + "\n");
        RecordFiles.Replace(RecordFiles.Flows(folder), Csv.Line(FlowCsv.Header) + "\n");
        RecordFiles.Replace(RecordFiles.Latency(folder), HistogramLog.Header);
        RecordFiles.Replace(RecordFiles.Stats(folder), "");
        if (run.Scenario.Kind.KeepsSamples)
            SampleFile.Create(folder);
        if (run.Scenario.Measures.Count > 0)
            RecordFiles.Replace(RecordFiles.Measures(folder), Csv.Line(MeasureCsv.Header) + "\n");
        RecordFiles.Replace(RecordFiles.Run(folder), RunJson.Write(run));
        return new RecordWriter(folder, run.Scenario);
    }

    /// <summary>
    /// Continues a record that was cut. A last line without an end is removed, because it is of the block that runs again; the rows of
    /// <paramref name="superseded"/> blocks stay, flagged.
    /// </summary>
    /// <exception cref="RecordException">The record cannot be read even so.</exception>
    public static RecordWriter Resume(string folder, RunRecord run, IReadOnlySet<int> superseded)
    {
        // First, because it fails where the record may not be written, and changes nothing in one that has sums.
        RecordRepair.DropCutLines(folder);
        Checksums.Remove(folder);
        var rows = RecordReader.Read(folder).Rows.Select(row => superseded.Contains(row.Block) ? row with { Superseded = true } : row);
        RecordFiles.Replace(
            RecordFiles.Iterations(folder),
            string.Concat(rows.Select(IterationCsv.Line).Prepend(Csv.Line(IterationCsv.Header(run.Scenario.Factors))).Select(line =>
                line + "\n")));
        RecordFiles.Replace(RecordFiles.Run(folder), RunJson.Write(run));
        return new RecordWriter(folder, run.Scenario);
    }

    /// <summary>
    /// Records one arm of one iteration: its samples, the servers' own counts, its latencies unless it is warm-up, then its row.
    /// </summary>
    /// <exception cref="ArgumentException">The buckets do not add up, or are not those of the attempts; or flows or measures are not
    /// those of the scenario.</exception>
    /// <exception cref="RecordException">It cannot be written; the rows before it stay.</exception>
    public void Add(IterationRow row, IReadOnlyList<Attempt> attempts, IReadOnlyList<ServerStats> stats)
    {
        Demand(row);
        if (row.Flows.Where((flow, i) => flow.Buckets.Attempts != attempts.Count(attempt => attempt.Flow == i)).Any())
            throw new ArgumentException(
                $"The buckets of {row.Arm}, iteration {row.Iteration}, do not add up to its {attempts.Count} attempts.", nameof(row));
        if (_samples is { } samples)
            SampleFile.Append(samples, row, attempts, _scenario.Flows);
        Write(row, LatencyLog.Count(attempts, _scenario.Flows), stats);
    }

    /// <summary>The same of an experiment that keeps no samples.</summary>
    /// <param name="latencies">Those that each flow is judged by.</param>
    /// <exception cref="ArgumentException">The buckets do not add up.</exception>
    public void Add(IterationRow row, IReadOnlyList<LatencyHistogram> latencies, IReadOnlyList<ServerStats> stats)
    {
        if (_scenario.Kind.KeepsSamples)
            throw new ArgumentException($"{row.Arm}, iteration {row.Iteration}, is of an experiment that keeps samples.", nameof(row));
        Demand(row);
        Write(row, latencies, stats);
    }

    private void Write(IterationRow row, IReadOnlyList<LatencyHistogram> latencies, IReadOnlyList<ServerStats> stats)
    {
        var measures = MeasureCsv.Lines(row, _scenario.Measures).ToArray();
        Write(_stats, new StatsLine(row.Arm, row.Iteration, stats).Write());
        foreach (var (flow, counted) in row.Flows.Zip(latencies).Where(_ => !row.WarmUp))
            Write(_latency, LatencyLog.Line(row, flow.Flow, counted));
        foreach (var flow in FlowCsv.Lines(row))
            Write(_flows, flow);
        foreach (var measure in measures)
            Write(_measures!, measure);
        Write(_iterations, IterationCsv.Line(row));
    }

    private void Demand(IterationRow row)
    {
        var where = $"{row.Arm}, iteration {row.Iteration}";
        if (!row.Flows.Select(flow => flow.Flow).SequenceEqual(_scenario.Flows))
            throw new ArgumentException($"{where}, has other flows than its scenario.", nameof(row));
        if (!row.Flows.All(flow => flow.Buckets.AddUp))
            throw new ArgumentException($"The buckets of {where}, do not add up.", nameof(row));
    }

    public void Add(EventRow row) => Write(_events, EventCsv.Line(row));

    /// <summary>Replaces run.json: when the run ends, or when a check of it fails.</summary>
    public void Replace(RunRecord run) => RecordFiles.Replace(RecordFiles.Run(Folder), RunJson.Write(run));

    /// <summary>Replaces run.json for the last time, and writes <see cref="Checksums"/> of the whole record.</summary>
    public void End(RunRecord run)
    {
        Replace(run);
        Checksums.Write(Folder);
    }

    /// <summary>Writes noise.json into a record that is there.</summary>
    public static void Replace(string folder, NoiseFloor noise)
    {
        RecordFiles.Replace(RecordFiles.Noise(folder), NoiseJson.Write(noise));
        Checksums.Renew(folder, RecordFiles.Name(RecordFiles.Noise(folder)));
    }

    public void Dispose()
    {
        _iterations.Dispose();
        _events.Dispose();
        _flows.Dispose();
        _latency.Dispose();
        _stats.Dispose();
        _measures?.Dispose();
        _samples?.Dispose();
    }

    private static void Write(FileStream file, string line) => RecordFiles.Append(file, line + "\n");
}
