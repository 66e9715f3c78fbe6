using System.IO.Compression;

namespace PubSubOverWs.Experiment.Records;

/// <summary>Reads a record folder. What is cut, of another version, or does not add up is named in one sentence; nothing is guessed.</summary>
public static class RecordReader
{
    /// <exception cref="RecordException">The folder is not there, or a file of it cannot be used.</exception>
    public static RunFolder Read(string folder)
    {
        if (!Directory.Exists(folder))
            throw new RecordException($"There is no folder {folder}: name one that holds a run.json.");
        var run = RunJson.Read(Text(RecordFiles.Run(folder)), RecordFiles.Name(RecordFiles.Run(folder)));
        var rows = Rows(RecordFiles.Iterations(folder), IterationCsv.Header, (row, where) => Checked(IterationCsv.Parse(row), where), IterationCsv.Later);
        var twice = rows.GroupBy(row => (row.Arm, row.Iteration)).FirstOrDefault(group => group.Count() > 1);
        if (twice is not null)
            throw new RecordException($"iterations.csv has {twice.Key.Arm}, iteration {twice.Key.Iteration}, more than once: take the folder again from where it was made.");
        return new RunFolder(run, rows, Rows(RecordFiles.Events(folder), EventCsv.Header, (row, _) => EventCsv.Parse(row)), Noise(RecordFiles.Noise(folder)));
    }

    /// <summary>The attempts of one arm in one iteration, in a stream.</summary>
    /// <exception cref="RecordException">The file is not there (committed folders leave samples out), or is cut.</exception>
    public static IEnumerable<Attempt> ReadSamples(string folder, string arm, int iteration)
    {
        var path = RecordFiles.Samples(folder, arm, iteration);
        if (!File.Exists(path))
            throw new RecordException($"There is no {Path.Combine("samples", RecordFiles.Name(path))}: committed folders leave the samples out.");
        return ReadSamples(path);
    }

    private static IEnumerable<Attempt> ReadSamples(string path)
    {
        using var text = new StreamReader(new GZipStream(File.OpenRead(path), CompressionMode.Decompress));
        foreach (var attempt in CsvTable.Read(text, RecordFiles.Name(path), SampleCsv.Header, (row, _) => SampleCsv.Parse(row)))
            yield return attempt;
    }

    private static IReadOnlyList<T> Rows<T>(string path, IReadOnlyList<string> header, Func<CsvRow, string, T> parse, params IEnumerable<string> later)
    {
        using var text = new StringReader(Text(path));
        return [.. CsvTable.Read(text, RecordFiles.Name(path), header, parse, later)];
    }

    private static NoiseFloor? Noise(string path) => File.Exists(path) ? NoiseJson.Read(File.ReadAllText(path), RecordFiles.Name(path)) : null;

    private static string Text(string path) => File.Exists(path)
        ? File.ReadAllText(path)
        : throw new RecordException($"There is no {RecordFiles.Name(path)} in {Path.GetDirectoryName(path)}: it is not the folder of a run.");

    private static IterationRow Checked(IterationRow row, string where)
    {
        if (row.Buckets.AddUp && row.Users > 0 && row.Iteration > 0)
            return row;
        throw new RecordException($"{where} does not add up: its buckets and causes must sum to its {row.Buckets.Attempts} attempts.");
    }
}
