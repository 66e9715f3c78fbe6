namespace PubSubOverWs.LoadTest.Processes;

/// <summary>The cores that the threads of a process may use, from <c>/proc/PID/task/*/status</c>.</summary>
public static class ThreadMasks
{
    private const string Field = "Cpus_allowed_list:";

    /// <summary>Each distinct list once, in order: one if all threads agree. Empty without <c>/proc</c>.</summary>
    public static IReadOnlyList<string> Of(int processId)
    {
        var tasks = $"/proc/{processId}/task";
        if (!Directory.Exists(tasks))
            return [];
        return [.. Directory.EnumerateDirectories(tasks).Select(Read).OfType<string>().Distinct().Order(StringComparer.Ordinal)];
    }

    /// <summary>The list in a <c>status</c> file; null: it has none.</summary>
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
