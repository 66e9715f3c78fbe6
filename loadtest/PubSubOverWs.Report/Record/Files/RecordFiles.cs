using PubSubOverWs.Record.Accounting;
using PubSubOverWs.Record.Latency;

namespace PubSubOverWs.Record.Files;

/// <summary>The paths of the files of a record folder.</summary>
public static class RecordFiles
{
    // The plan of 10,000 iterations in 10,000 blocks has some 10 MB.
    internal const int MaxJsonBytes = 64 << 20;

    internal static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    public static string Run(string folder) => Path.Combine(folder, "run.json");

    public static string Iterations(string folder) => Path.Combine(folder, "iterations.csv");

    public static string Events(string folder) => Path.Combine(folder, "events.csv");

    public static string Flows(string folder) => Path.Combine(folder, "flows.csv");

    /// <summary>Only of experiments that have measures.</summary>
    public static string Measures(string folder) => Path.Combine(folder, "measures.csv");

    public static string Noise(string folder) => Path.Combine(folder, "noise.json");

    public static string Latency(string folder) => Path.Combine(folder, "latency.hlog");

    /// <summary>Not of experiments that keep none. Committed folders leave it out.</summary>
    public static string Samples(string folder) => Path.Combine(folder, "samples.csv.gz");

    /// <summary>Committed folders leave it out.</summary>
    public static string Stats(string folder) => Path.Combine(folder, "stats.jsonl");

    /// <summary>Whether something has this name, a link that leads nowhere among it.</summary>
    public static bool Exists(string path) => Path.Exists(path) || new FileInfo(path).LinkTarget is not null;

    public static string Name(string path) => Path.GetFileName(path);

    /// <summary>A file that must be there, to be read.</summary>
    /// <exception cref="RecordException">It is not there, is a folder, or cannot be opened.</exception>
    internal static FileStream Open(string path)
    {
        var name = Name(path);
        if (Directory.Exists(path))
            throw new RecordException($"{name} is a folder and must be a file: {RecordException.Mend}.");
        if (!File.Exists(path))
            throw new RecordException($"There is no {name}, which this run must have: {RecordException.Mend}.");
        try
        {
            return new FileStream(path, FileMode.Open, FileAccess.Read, FileShare.ReadWrite);
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw RecordException.Unreadable(name, error);
        }
    }

    /// <summary>The text of a file that must be there and is small.</summary>
    /// <exception cref="RecordException">It is not there, is larger, or cannot be read.</exception>
    public static string Text(string path, int mostBytes)
    {
        var name = Name(path);
        using var file = Open(path);
        try
        {
            if (file.Length > mostBytes)
                throw new RecordException(
                    $"{name} has {file.Length} bytes, and the maximum is {mostBytes}: {RecordException.Mend}.");
            using var reader = new StreamReader(file, Encoding.UTF8);
            return reader.ReadToEnd();
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException)
        {
            throw RecordException.Unreadable(name, error);
        }
    }

    /// <summary>Writes a file atomically: concurrent readers find the old one or the new one.</summary>
    /// <exception cref="RecordException">It cannot be written; the old one stays.</exception>
    internal static void Replace(string path, string text) => Replace(path, file => file.Write(Utf8.GetBytes(text)));

    /// <inheritdoc cref="Replace(string, string)"/>
    internal static void Replace(string path, Action<FileStream> write) => Write(Name(path), () =>
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        try
        {
            using (var file = File.Create(path + ".new"))
                write(file);
            File.Move(path + ".new", path, overwrite: true);
        }
        catch
        {
            // On a full disk a part of it would take the room that the end of the record needs.
            File.Delete(path + ".new");
            throw;
        }
    });

    /// <summary>Appends to a file, also if the system loses power later.</summary>
    /// <exception cref="RecordException">It cannot be written.</exception>
    internal static void Append(FileStream file, string text) => Write(Name(file.Name), () =>
    {
        file.Write(Utf8.GetBytes(text));
        file.Flush(flushToDisk: true);
    });

    /// <summary>A file that grows, made if it is missing, with its folder.</summary>
    /// <exception cref="RecordException">It cannot be written.</exception>
    internal static FileStream OpenToAppend(string path) => Write(Name(path), () =>
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        return new FileStream(path, FileMode.Append, FileAccess.Write, FileShare.Read, bufferSize: 0);
    });

    /// <param name="name">How a user finds it.</param>
    /// <param name="write">What may fail because of the disk or of rights.</param>
    /// <exception cref="RecordException">It does.</exception>
    internal static void Write(string name, Action write) => Write(name, () =>
    {
        write();
        return true;
    });

    private static T Write<T>(string name, Func<T> write)
    {
        try
        {
            return write();
        }
        // The last is what .NET throws where a file would be larger than the system or its limits let it be.
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or ArgumentOutOfRangeException)
        {
            throw RecordException.Unwritable(name, error);
        }
    }
}

/// <summary>Makes a record that was cut by a kill readable again, without guessing.</summary>
internal static class RecordRepair
{
    /// <summary>Takes away a last line that has no end, in every file that grows; nothing when the folder is not there.</summary>
    /// <exception cref="RecordException">A file cannot be written.</exception>
    public static void DropCutLines(string folder)
    {
        string[] grow =
        [
            RecordFiles.Iterations(folder), RecordFiles.Flows(folder), RecordFiles.Events(folder), RecordFiles.Measures(folder),
            RecordFiles.Latency(folder), RecordFiles.Stats(folder),
        ];
        foreach (var path in grow)
        {
            if (!File.Exists(path))
                continue;
            RecordFiles.Write(RecordFiles.Name(path), () =>
            {
                using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
                file.SetLength(EndOfLastLine(file));
            });
        }
        // Where a run has ended with sums nothing is cut.
        if (File.Exists(RecordFiles.Samples(folder)) && !Checksums.AreIn(folder))
            SampleFile.DropCutLine(folder);
    }

    private static long EndOfLastLine(FileStream file)
    {
        for (var position = file.Length; position > 0; position--)
        {
            file.Position = position - 1;
            if (file.ReadByte() == '\n')
                return position;
        }

        return 0;
    }
}

/// <summary>The content of a record folder without samples.csv.gz and stats.jsonl.</summary>
/// <param name="Rows">iterations.csv, as written: warm-up and superseded rows are among them.</param>
public sealed record RunFolder(RunRecord Run, IReadOnlyList<IterationRow> Rows, IReadOnlyList<EventRow> Events)
{
    /// <summary>latency.hlog: of each flow of every row but warm-up.</summary>
    public IReadOnlyDictionary<(string Arm, int Iteration, string Flow), Distribution> Latency
    { get; init; } = new Dictionary<(string, int, string), Distribution>();

    /// <summary>Of the first flow that is judged. Null: it is not there.</summary>
    public Distribution? LatencyOf(IterationRow row) =>
        Latency.GetValueOrDefault((row.Arm, row.Iteration, row.Flows.FirstJudged.Flow.Name));

    /// <summary>noise.json; null: the run is compared with no A/A run.</summary>
    public NoiseFloor? Noise { get; init; }
}

/// <summary>The measured iterations of one arm at one level, in the order in which they ran, without warm-up and superseded rows.</summary>
public sealed record ArmLevel(string Arm, Level Level, IReadOnlyList<IterationRow> Rows)
{
    /// <inheritdoc cref="Level.Number"/>
    public int Users => Level.Number;

    public Buckets Buckets => Rows.Aggregate(new Buckets { Attempts = 0 }, (sum, row) => sum.Add(row.Buckets));

    public Anomalies Anomalies => Rows.Aggregate(default(Anomalies), (sum, row) => sum.Add(row.Anomalies));

    /// <summary>What at least one of its iterations drove to its limit on purpose (<see cref="ILimitReached"/>); null: none.</summary>
    public string? Saturated(Scenario scenario) =>
        Rows.Select(row => (scenario as ILimitReached)?.LimitReached(row.Measures)).FirstOrDefault(what => what is not null);

    public ArmLevel Only(string flow) => this with { Rows = [.. Rows.Select(row => row.Only(flow))] };

    public static ArmLevel From(RunFolder folder, string arm, Level level) => new(
        arm, level, [.. folder.Rows.Where(row => row.Counts && row.Arm == arm && row.Level.Equals(level)).OrderBy(row => row.Iteration)]);

    /// <summary>Each shown arm at each level, if it has measured iterations.</summary>
    public static IEnumerable<ArmLevel> Measured(RunFolder folder) =>
        from level in folder.Run.Scenario.Levels
        from arm in folder.Run.Scenario.ShownArms
        let one = From(folder, arm, level)
        where one.Rows.Count > 0
        select one;
}
