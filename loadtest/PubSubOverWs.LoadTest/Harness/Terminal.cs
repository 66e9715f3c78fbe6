namespace PubSubOverWs.LoadTest.Harness;

/// <summary>Where a command writes, and whether to a terminal: a live table needs one, a log file gets plain lines.</summary>
/// <param name="Output">Results and progress.</param>
/// <param name="Error">Refusals and failures, one sentence each.</param>
/// <param name="IsLive">Standard output is a terminal that can be redrawn.</param>
public sealed record Terminal(TextWriter Output, TextWriter Error, bool IsLive, TimeProvider Time)
{
    public static Terminal System { get; } =
        new(Console.Out, Console.Error, IsTerminal(Console.IsOutputRedirected), TimeProvider.System)
        { IsErrorLive = IsTerminal(Console.IsErrorRedirected) };

    /// <summary>Standard error is such a terminal, too.</summary>
    public bool IsErrorLive { get; init; }

    /// <summary>The same where standard output has a document for programs: what is said to people goes to standard error.</summary>
    public Terminal BesideDocument => this with { Output = Error, IsLive = IsLive && IsErrorLive };

    /// <summary>What may be said at any time.</summary>
    public Notices Notices { get; } = new(Error);

    /// <summary>The value of an environment variable; null: it is not set.</summary>
    public Func<string, string?> Variable { get; init; } = Environment.GetEnvironmentVariable;

    /// <summary>
    /// The columns that a line may have: those that the variable COLUMNS says, or those of the terminal. Null: neither is known, as in a
    /// log file.
    /// </summary>
    public int? Width =>
        int.TryParse(Variable("COLUMNS"), NumberStyles.None, CultureInfo.InvariantCulture, out var columns) && columns > 0 ? columns
        : IsLive && Console.WindowWidth is > 0 and var width ? width
        : null;

    /// <summary>True: a person can end the program by Ctrl-C; false in a build (<c>CI</c> is set), or when output is redirected.</summary>
    public bool IsAttended => IsLive && string.IsNullOrEmpty(Variable("CI"));

    private static bool IsTerminal(bool isRedirected) => !isRedirected && Environment.GetEnvironmentVariable("TERM") != "dumb";

    /// <inheritdoc cref="UserBrowser.Show"/>
    public Func<string, Func<string, string?>, string?> Browse { get; init; } = UserBrowser.Show;

    /// <summary>Writes a line of results: a word, and what it is about; in colour on a terminal, unless NO_COLOR is set.</summary>
    /// <param name="word">Up to ten letters.</param>
    public Task WriteAsync(string word, string text, Tone tone = Tone.Plain)
    {
        var padded = $"{word,-10}";
        // https://no-color.org: present and not empty.
        var isColoured = tone != Tone.Plain && IsLive && string.IsNullOrEmpty(Variable("NO_COLOR"));
        return Output.WriteLineAsync($"{(isColoured ? $"\u001b[{(int)tone}m{padded}\u001b[0m" : padded)} {text}");
    }
}

/// <summary>
/// Sentences that may come at any time, such as after Ctrl-C: on standard error, or shown by the view that redraws the terminal meanwhile.
/// For several threads.
/// </summary>
public sealed class Notices(TextWriter error)
{
    private readonly Lock _lock = new();
    private Action<string>? _view;

    public void Say(string sentence)
    {
        lock (_lock)
            (_view ?? error.WriteLine)(sentence);
    }

    /// <summary>From now on until the result is disposed of, <paramref name="view"/> shows them.</summary>
    public IDisposable ShownBy(Action<string> view)
    {
        lock (_lock)
            _view = view;
        return new End(this);
    }

    private sealed class End(Notices notices) : IDisposable
    {
        public void Dispose()
        {
            lock (notices._lock)
                notices._view = null;
        }
    }
}

/// <summary>What this program is called by its users.</summary>
public static class ThisProgram
{
    /// <summary>Also <c>ToolCommandName</c> of the project, and the script of a clone.</summary>
    public const string Name = "pubsub-over-ws";
}

/// <summary>The colour of a word, as ANSI terminals number them.</summary>
public enum Tone
{
    Plain = 0,
    Bad = 31,
    Good = 32,
}

/// <summary>A command cannot do what was asked. The message is one sentence for the user: what happened, to what, what to do.</summary>
public sealed class RefusalException(ExitCode exitCode, string message, Exception? inner = null) : Exception(message, inner)
{
    /// <summary>With the exit code of bad usage.</summary>
    public RefusalException(string message, Exception? inner = null)
        : this(ExitCode.BadUsage, message, inner)
    {
    }

    public ExitCode ExitCode { get; } = exitCode;

    /// <exception cref="RefusalException"><paramref name="holds"/> is false.</exception>
    public static void ThrowUnless(bool holds, string otherwise)
    {
        if (!holds)
            throw new RefusalException(otherwise);
    }
}
