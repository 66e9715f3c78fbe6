namespace PubSubOverWs.Record.Files;

/// <summary>The paths of the files of a record folder.</summary>
public static class RecordFiles
{
    private static readonly UTF8Encoding Utf8 = new(encoderShouldEmitUTF8Identifier: false);

    public static string Run(string folder) => Path.Combine(folder, "run.json");

    public static string Iterations(string folder) => Path.Combine(folder, "iterations.csv");

    public static string Events(string folder) => Path.Combine(folder, "events.csv");

    public static string Flows(string folder) => Path.Combine(folder, "flows.csv");

    /// <summary>Only of experiments that have measures.</summary>
    public static string Measures(string folder) => Path.Combine(folder, "measures.csv");

    public static string Noise(string folder) => Path.Combine(folder, "noise.json");

    public static string Samples(string folder, string arm, int iteration) =>
        Path.Combine(folder, "samples", $"{arm}-{iteration}.csv.gz");

    public static string Stats(string folder, string arm, int iteration) =>
        Path.Combine(folder, "stats", $"{arm}-{iteration}.json");

    /// <summary>The folder of the logs below.</summary>
    public static string Latency(string folder) => Path.Combine(folder, "latency");

    /// <param name="folder">Of the record.</param>
    /// <param name="arm">By its name.</param>
    /// <param name="level">Its level.</param>
    /// <param name="flow">By its name; empty where the scenario has one only.</param>
    public static string LatencyLog(string folder, string arm, Level level, string flow = "") =>
        Path.Combine(Latency(folder), $"{arm}-{level.Key}{(flow.Length == 0 ? "" : "-")}{flow}.hlog");

    /// <summary>The log that a row has of one of its flows.</summary>
    public static string LatencyLog(string folder, IterationRow row, Flow flow) =>
        LatencyLog(folder, row.Arm, row.Level, row.Flows.Count == 1 ? "" : flow.Name);

    /// <summary>The name of a file in the record's folder.</summary>
    internal static string Name(string path) => Path.GetFileName(path);

    /// <summary>The name of a file in a subfolder of the record, such as <c>samples/direct-1.csv.gz</c>.</summary>
    public static string NameIn(string path) => $"{Path.GetFileName(Path.GetDirectoryName(path))}/{Path.GetFileName(path)}";

    /// <summary>A file that must be there, to be read.</summary>
    /// <param name="path">Of the file.</param>
    /// <param name="name">How a user finds it.</param>
    /// <exception cref="RecordException">It is not there, is a folder, or cannot be opened.</exception>
    internal static FileStream Open(string path, string name)
    {
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
    /// <param name="path">Of the file.</param>
    /// <param name="name">How a user finds it.</param>
    /// <param name="mostBytes">More is no such file.</param>
    /// <exception cref="RecordException">It is not there, is larger, or cannot be read.</exception>
    public static string Text(string path, string name, int mostBytes)
    {
        using var file = Open(path, name);
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

    /// <summary>Writes something of a record.</summary>
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

    /// <summary>Whether the record has this folder.</summary>
    /// <exception cref="RecordException">Something else has its name: a file, or a link that leads nowhere.</exception>
    public static bool HasFolder(string folder, string name)
    {
        var path = Path.Combine(folder, name);
        if (Directory.Exists(path))
            return true;
        return File.Exists(path) || new FileInfo(path).LinkTarget is not null
            ? throw new RecordException($"{name}/ is not a readable folder: {RecordException.Mend}.")
            : false;
    }
}

/// <summary>Makes a record that was cut by a kill readable again, without guessing.</summary>
internal static class RecordRepair
{
    /// <summary>Takes away a last line that has no end, in every file that grows; nothing when the folder is not there.</summary>
    /// <exception cref="RecordException">A file cannot be written.</exception>
    public static void DropCutLines(string folder)
    {
        var logs = RecordFiles.Latency(folder) is var latency && Directory.Exists(latency) ? Directory.GetFiles(latency, "*.hlog") : [];
        string[] tables =
            [RecordFiles.Iterations(folder), RecordFiles.Flows(folder), RecordFiles.Events(folder), RecordFiles.Measures(folder)];
        foreach (var path in tables.Concat(logs))
        {
            if (!File.Exists(path))
                continue;
            RecordFiles.Write(RecordFiles.Name(path), () =>
            {
                using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
                file.SetLength(EndOfLastLine(file));
            });
        }
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
