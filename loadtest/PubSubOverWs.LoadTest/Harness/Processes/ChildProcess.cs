using System.Diagnostics;
using System.Runtime.Versioning;
using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Processes;

/// <summary>
/// One operating-system process of a child. It ends when its standard input closes, and the system closes that pipe when this program
/// ends for any reason: no orphan remains.
/// </summary>
public sealed class ChildProcess : IDisposable
{
    private readonly Process _process;
    private readonly ErrorLog _log = new();
    private readonly TaskCompletionSource<Uri> _listening = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private bool _killed;

    private ChildProcess(Process process)
    {
        _process = process;
        Id = process.Id;
        Exited = WatchAsync();
    }

    public int Id { get; }

    /// <summary>Completes when the child reports its address. Never fails: watch <see cref="Exited"/> as well.</summary>
    public Task<Uri> Listening => _listening.Task;

    /// <summary>Completes when the process has ended and all its output was read.</summary>
    public Task<ChildExit> Exited { get; }

    public ProcessUse Use => ProcessUse.Read(_process);

    public IReadOnlyList<string> LastLines => _log.LastLines;

    /// <param name="address">Where it listens; port 0: a free port.</param>
    public static ChildProcess Start(ChildCommand command, Uri address, ChildOptions options)
    {
        var start = new ProcessStartInfo
        {
            WorkingDirectory = Path.GetDirectoryName(command.Assembly),
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        string[] pin = options.Core is { } core ? ["taskset", "-c", $"{core}"] : [];

        // --child last: ASP.NET takes the argument after a switch without a value as its value.
        string[] line = [.. pin, DotnetHost.Path, "exec", command.Assembly, .. command.Arguments, "--urls", address.ToString(), "--child"];
        start.FileName = line[0];
        foreach (var argument in line.Skip(1))
            start.ArgumentList.Add(argument);
        start.Environment.Remove(InlineCompletions.Variable);
        foreach (var name in start.Environment.Keys.Where(name => !InheritedSettings.AreKept(name)).ToList())
            start.Environment.Remove(name);
        foreach (var (name, value) in command.Environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        return new ChildProcess(Process.Start(start)!);
    }

    /// <summary>Asks it to stop.</summary>
    public void CloseInput() => _process.StandardInput.Close();

    /// <summary>Asks it to stop by SIGTERM, as an operator does; on Windows by closing its input.</summary>
    public void Terminate()
    {
        if (OperatingSystem.IsWindows())
            CloseInput();
        else if (!_process.HasExited)
            ProcessSignal.Terminate(Id);
    }

    /// <summary>Suspends it (SIGSTOP) until <see cref="Resume"/>, unless it has ended.</summary>
    [UnsupportedOSPlatform("windows")]
    public void Pause()
    {
        if (!_process.HasExited)
            ProcessSignal.Stop(Id);
    }

    /// <summary>Resumes it (SIGCONT).</summary>
    [UnsupportedOSPlatform("windows")]
    public void Resume()
    {
        if (!_process.HasExited)
            ProcessSignal.Continue(Id);
    }

    /// <summary>Waits until it has ended, and kills it if that takes longer than <paramref name="atMost"/>.</summary>
    public async Task<ChildExit> EndWithinAsync(TimeSpan atMost, TimeProvider time)
    {
        try
        {
            return await Exited.WaitAsync(atMost, time);
        }
        catch (TimeoutException)
        {
            Kill();
            return await Exited;
        }
    }

    /// <summary>Kills it, unless it has ended.</summary>
    public void Kill()
    {
        if (_process.HasExited)
            return;
        _killed = true;
        _process.Kill();
    }

    public void Dispose() => _process.Dispose();

    private async Task<ChildExit> WatchAsync()
    {
        await Task.WhenAll(ReadOutputAsync(), _log.ReadAllAsync(_process.StandardError));
        await _process.WaitForExitAsync();
        return new ChildExit(_process.ExitCode, _killed, _log.LastLines);
    }

    private async Task ReadOutputAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
        {
            if (ListeningLine.TryParse(line, out var address))
                _listening.TrySetResult(address!);
        }
    }
}

/// <summary>How a child process ended.</summary>
/// <param name="ExitCode">On Linux 128 + the signal if a signal ended it.</param>
/// <param name="Killed">This program killed it, as a fault or because it did not stop in time.</param>
/// <param name="LastLines">The end of its standard error.</param>
public sealed record ChildExit(int ExitCode, bool Killed, IReadOnlyList<string> LastLines)
{
    /// <summary>For one that was asked to stop, such as <c>exit code 0</c>.</summary>
    public string AsAsked =>
        string.Create(CultureInfo.InvariantCulture, $"exit code {ExitCode}{(Killed ? ", killed: it did not end in time" : "")}");
}

/// <summary>The resources that a process has used so far.</summary>
/// <param name="Cpu">User and kernel time of all its threads since it started.</param>
/// <param name="ResidentBytes">Memory held now.</param>
public readonly record struct ProcessUse(TimeSpan Cpu, long ResidentBytes)
{
    /// <summary>Zero for a process that has ended.</summary>
    public static ProcessUse Read(Process process)
    {
        try
        {
            process.Refresh();
            return new ProcessUse(CpuClock.Read(process), process.WorkingSet64);
        }
        catch (InvalidOperationException)
        {
            return default;
        }
    }

    /// <summary>A process that this program did not start; null: it has ended.</summary>
    public static ProcessUse? Read(int id)
    {
        try
        {
            using var process = Process.GetProcessById(id);
            return new ProcessUse(CpuClock.Read(process), process.WorkingSet64);
        }
        catch (Exception error) when (error is ArgumentException or InvalidOperationException)
        {
            return null;
        }
    }

    /// <summary>This program.</summary>
    public static ProcessUse OfThisProcess() => new(Environment.CpuUsage.TotalTime, Environment.WorkingSet);
}

/// <summary>The resources of a process by its name, such as <c>pubsub</c>; that of this program is <c>load</c>.</summary>
public sealed record NamedUse(string Name, ProcessUse Use);

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
