namespace PubSubOverWs.LoadTest.Processes;

/// <summary>The cores that the threads of a process may really use, read back from <c>/proc/PID/task/*/status</c>.</summary>
public static class ThreadMasks
{
    private const string Field = "Cpus_allowed_list:";

    /// <summary>Each different list once, in order; one entry when all threads agree. Empty where there is no <c>/proc</c>.</summary>
    public static IReadOnlyList<string> Of(int processId)
    {
        var tasks = $"/proc/{processId}/task";
        if (!Directory.Exists(tasks))
            return [];
        return [.. Directory.EnumerateDirectories(tasks).Select(Read).OfType<string>().Distinct().Order(StringComparer.Ordinal)];
    }

    /// <summary>The list in the text of a <c>status</c> file; null when it has none.</summary>
    public static string? Parse(IEnumerable<string> status) =>
        status.FirstOrDefault(line => line.StartsWith(Field, StringComparison.Ordinal))?[Field.Length..].Trim();

    private static string? Read(string task)
    {
        try
        {
            return Parse(File.ReadLines(Path.Combine(task, "status")));
        }
        catch (IOException)
        {
            return null; // The thread ended while we looked.
        }
    }
}
