using System.ComponentModel;
using System.Diagnostics;
using System.Reflection;
using System.Runtime.InteropServices;

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

/// <summary>Its name, and its version and commit from the assembly itself, so that a copy outside a checkout knows them too.</summary>
public static class ThisProgram
{
    /// <summary>Also <c>ToolCommandName</c> of the project, and the script of a clone.</summary>
    public const string Name = "pubsub-over-ws";

    private static readonly string[] Parts =
        (typeof(ThisProgram).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0.0.0")
            .Split('+', 2);

    public static string Version => Parts[0];

    /// <summary>
    /// The commit, with <c>-changed</c> if the build had uncommitted changes, or <c>-unchecked</c> if it had no git to ask; null: built
    /// outside a checkout.
    /// </summary>
    public static string? Commit => Parts.Length == 2 ? Parts[1] : null;

    public static string Runtime => RuntimeInformation.FrameworkDescription;
}

/// <summary>How the documents that only <c>--json</c> prints are written; those that are files too are written as the file.</summary>
public static class DocumentJson
{
    internal static JsonSerializerOptions Options { get; } = new(JsonText.Options) { Converters = { new ScenarioJson() } };

    /// <returns>The text with a line end.</returns>
    public static string Write<T>(T document) => JsonSerializer.Serialize(document, Options) + "\n";
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

/// <summary>The browser of the person at this machine.</summary>
public static class UserBrowser
{
    // As long as a browser takes to say that it cannot start. The script may also wait until the browser is closed.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(3);

    private static readonly string[] Displays = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"];

    /// <summary>Shows an address in it.</summary>
    /// <param name="variable">The value of an environment variable; null: it is not set.</param>
    /// <returns>Why it is not shown, in a few words; null: it is.</returns>
    public static string? Show(string address, Func<string, string?> variable)
    {
        try
        {
            if (!OperatingSystem.IsLinux())
            {
                Process.Start(new ProcessStartInfo(address) { UseShellExecute = true })?.Dispose();
                return null;
            }

            return Displays.All(name => string.IsNullOrEmpty(variable(name))) ? "there is no display" : ShowOnLinux(address);
        }
        catch (Exception failure) when (failure is Win32Exception or PlatformNotSupportedException)
        {
            return failure.Message.TrimEnd('.');
        }
    }

    // xdg-open tries one program after the other, with all that they write: none of it is for the user.
    private static string? ShowOnLinux(string address)
    {
        using var opener = Process.Start("sh", ["-c", "exec xdg-open \"$1\" </dev/null >/dev/null 2>&1", "sh", address]);
        return !opener.WaitForExit(Patience) || opener.ExitCode == 0 ? null
            : opener.ExitCode == 127 ? "xdg-open is not installed"
            : "xdg-open has found no browser that starts";
    }
}
