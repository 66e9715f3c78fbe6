namespace PubSubOverWs.Experiment.Records;

/// <summary>Makes a record that was cut by a kill readable again, without guessing.</summary>
internal static class RecordRepair
{
    /// <summary>Takes away a last line that has no end, in every file that grows; nothing when the folder is not there.</summary>
    public static void DropCutLines(string folder)
    {
        var logs = RecordFiles.Latency(folder) is var latency && Directory.Exists(latency) ? Directory.GetFiles(latency, "*.hlog") : [];
        foreach (var path in new[] { RecordFiles.Iterations(folder), RecordFiles.Events(folder), RecordFiles.Faults(folder) }.Concat(logs))
        {
            if (!File.Exists(path))
                continue;
            using var file = new FileStream(path, FileMode.Open, FileAccess.ReadWrite);
            file.SetLength(EndOfLastLine(file));
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
