using System.Diagnostics;
using System.Globalization;
using System.Threading.Channels;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>The program as a user runs it: a process of its own, in a folder and with a temporary directory of its own.</summary>
public sealed class LoadTestProcess : IDisposable
{
    private readonly Process _process;
    private readonly Channel<string> _output = Channel.CreateUnbounded<string>();
    private readonly Task<string> _error;
    private readonly Task _reading;

    private LoadTestProcess(Process process)
    {
        _process = process;
        _error = process.StandardError.ReadToEndAsync();
        _reading = ReadAsync();
    }

    public static string Program { get; } = Path.Combine(AppContext.BaseDirectory, "PubSubOverWs.LoadTest.dll");

    /// <param name="folder">Where it runs; its lock is there too, so that no other run on this machine disturbs a test.</param>
    /// <param name="arguments">Of the program.</param>
    public static LoadTestProcess Start(string folder, params string[] arguments) => StartBehind([], folder, arguments);

    /// <summary>The same behind a command that starts another, such as <c>prlimit</c>.</summary>
    public static LoadTestProcess StartBehind(string[] wrapper, string folder, params string[] arguments)
    {
        string[] line = [.. wrapper, DotnetHost.Path, "exec", Program, .. arguments];
        var start = new ProcessStartInfo(line[0], line.Skip(1))
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        start.Environment["TMPDIR"] = start.Environment["TMP"] = folder;
        // For a queue that the run did not start: LocalSqs takes any.
        start.Environment["AWS_ACCESS_KEY_ID"] = start.Environment["AWS_SECRET_ACCESS_KEY"] = "test";
        return new LoadTestProcess(Process.Start(start)!);
    }

    /// <summary>
    /// The same with a process group of its own, so that Ctrl-C reaches it and its servers: who was started with SIGINT ignored, as a
    /// shell's background jobs are, hands that on to all it starts, and a program must not take it back for itself.
    /// </summary>
    public static LoadTestProcess StartInterruptible(string folder, params string[] arguments) =>
        StartBehind(IgnoresInterrupts() ? ["setsid", "env", "--default-signal=INT"] : ["setsid"], folder, arguments);

    public static async Task<ProgramResult> RunAsync(string folder, params string[] arguments)
    {
        using var program = Start(folder, arguments);
        return await program.EndAsync();
    }

    public int Id => _process.Id;

    /// <summary>The next line of standard output; fails when the program has ended.</summary>
    public ValueTask<string> NextLineAsync() => _output.Reader.ReadAsync();

    /// <summary>The next of them that begins so.</summary>
    public async Task<string> UntilLineAsync(string start)
    {
        string line;
        do
            line = await NextLineAsync();
        while (!line.StartsWith(start, StringComparison.Ordinal));
        return line;
    }

    /// <summary>Sends SIGINT to the whole process group, as Ctrl-C on a terminal does.</summary>
    public async Task InterruptAsync()
    {
        using var kill = Process.Start("kill", ["-INT", "--", $"-{_process.Id}"]);
        await kill.WaitForExitAsync();
    }

    /// <summary>SIGKILL to the program alone: what it started must notice by itself.</summary>
    public async Task KillAsync()
    {
        _process.Kill();
        await _process.WaitForExitAsync();
    }

    public async Task<ProgramResult> EndAsync()
    {
        await _process.WaitForExitAsync();
        await _reading;
        var lines = new List<string>();
        await foreach (var line in _output.Reader.ReadAllAsync())
            lines.Add(line);
        return new ProgramResult(_process.ExitCode, string.Join('\n', lines), (await _error).Trim());
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill(entireProcessTree: true);
        _process.Dispose();
    }

    // The mask of ignored signals, hexadecimal; SIGINT is 2, so it is the second bit.
    private static bool IgnoresInterrupts()
    {
        const string field = "SigIgn:";
        var mask = File.ReadLines("/proc/self/status").First(line => line.StartsWith(field, StringComparison.Ordinal))[field.Length..];
        return (ulong.Parse(mask.Trim(), NumberStyles.HexNumber, CultureInfo.InvariantCulture) & 2) != 0;
    }

    private async Task ReadAsync()
    {
        while (await _process.StandardOutput.ReadLineAsync() is { } line)
            await _output.Writer.WriteAsync(line);
        _output.Writer.Complete();
    }
}

/// <summary>How the program ended, and the output that had not been read before.</summary>
public sealed record ProgramResult(int ExitCode, string Output, string Error);
