namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>
/// The last lines of a child's standard error, without the frames of stack traces, which would displace the sentence that says what went
/// wrong.
/// </summary>
public sealed class ErrorLog
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

    /// <summary>Reads until the child ends.</summary>
    public async Task ReadAllAsync(TextReader standardError)
    {
        while (await standardError.ReadLineAsync() is { } line)
            Keep(line);
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

/// <summary>The one line that a child writes to standard output: <c>listening http://127.0.0.1:PORT</c>.</summary>
public static class ListeningLine
{
    private const string Prefix = "listening ";

    /// <summary>False for any other line that a child prints.</summary>
    public static bool TryParse(string line, out Uri? address)
    {
        address = null;
        return line.StartsWith(Prefix, StringComparison.Ordinal)
            && Uri.TryCreate(line[Prefix.Length..].Trim(), UriKind.Absolute, out address)
            && address.Scheme == Uri.UriSchemeHttp
            && address.Port > 0;
    }
}
