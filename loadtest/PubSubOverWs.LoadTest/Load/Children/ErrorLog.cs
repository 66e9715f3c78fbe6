namespace PubSubOverWs.LoadTest.Load.Children;

/// <summary>
/// A child's standard error: all of it in a file when there is a folder for it, the last lines in memory. The frames of a stack trace are for the
/// file only: twenty of them would hide the sentence that says what went wrong.
/// </summary>
public sealed class ErrorLog(string? path)
{
    private const int Kept = 20;
    private const string StackFrame = "   at ";

    private readonly Queue<string> _last = new(Kept);
    private readonly Lock _lock = new();

    public IReadOnlyList<string> LastLines
    {
        get
        {
            lock (_lock)
                return [.. _last];
        }
    }

    /// <summary>Reads until the child closes its end, which it does by ending.</summary>
    public async Task ReadAllAsync(TextReader standardError)
    {
        await using var file = path is null ? TextWriter.Null : new StreamWriter(path, append: true) { AutoFlush = true };
        while (await standardError.ReadLineAsync() is { } line)
        {
            Keep(line);
            await file.WriteLineAsync(line);
        }
    }

    private void Keep(string line)
    {
        if (line.StartsWith(StackFrame, StringComparison.Ordinal))
            return;
        lock (_lock)
        {
            if (_last.Count == Kept)
                _last.Dequeue();
            _last.Enqueue(line);
        }
    }
}
