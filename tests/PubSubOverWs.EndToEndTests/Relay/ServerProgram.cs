using System.Diagnostics;
using PubSubOverWs.EndToEndTests.LoadTest;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// A server's program, with all that it writes: the direct server's, for what it does by itself both servers do, unless another is named.
/// </summary>
internal sealed class ServerProgram : IDisposable
{
    private readonly Process _process;
    private readonly Task<string> _error;
    private readonly List<string> _log = [];

    private ServerProgram(Process process)
    {
        _process = process;
        _error = ReadErrorAsync();
    }

    /// <summary>Lines of its standard error so far.</summary>
    public string[] Log
    {
        get
        {
            lock (_log)
                return [.. _log];
        }
    }

    /// <summary>It has ended.</summary>
    public bool HasEnded => _process.HasExited;

    public static ServerProgram Start(params string[] arguments) => Start(DirectTarget.Program.Command(arguments));

    /// <param name="command">What runs.</param>
    /// <param name="wrapper">A command that starts it, such as <c>prlimit</c>, with its arguments.</param>
    public static ServerProgram Start(ChildCommand command, params string[] wrapper)
    {
        string[] line = [.. wrapper, DotnetHost.Path, "exec", command.Assembly, .. command.Arguments];
        var start = new ProcessStartInfo(line[0], line.Skip(1))
        {
            RedirectStandardInput = true,
            RedirectStandardOutput = true,
            RedirectStandardError = true,
        };
        foreach (var (name, value) in command.Environment ?? new Dictionary<string, string>())
            start.Environment[name] = value;
        return new ServerProgram(Process.Start(start)!);
    }

    /// <param name="input">All that its standard input has.</param>
    /// <param name="arguments">With which it ends by itself.</param>
    public static async Task<ProgramResult> RunAsync(string input, params string[] arguments)
    {
        using var program = Start(arguments);
        await program._process.StandardInput.WriteAsync(input);
        return await program.EndAsync();
    }

    /// <summary>Where it listens, once it does; only with <c>--child</c>.</summary>
    public async Task<Uri> ListeningAsync()
    {
        var line = await _process.StandardOutput.ReadLineAsync();
        Assert.True(ListeningLine.TryParse(line ?? "", out var address), line);
        return address!;
    }

    /// <summary>Waits until it listens, at an address with TLS too; only with <c>--child</c>.</summary>
    public async Task ReadyAsync() => Assert.StartsWith("listening ", await _process.StandardOutput.ReadLineAsync());

    /// <summary>Closes its standard input, and waits until it has ended.</summary>
    public async Task<ProgramResult> EndAsync()
    {
        _process.StandardInput.Close();
        var output = await _process.StandardOutput.ReadToEndAsync();
        var error = await _error;
        await _process.WaitForExitAsync();
        return new ProgramResult(_process.ExitCode, output, error.Trim());
    }

    private async Task<string> ReadErrorAsync()
    {
        while (await _process.StandardError.ReadLineAsync() is { } line)
        {
            lock (_log)
                _log.Add(line);
        }
        return string.Join('\n', Log);
    }

    public void Dispose()
    {
        if (!_process.HasExited)
            _process.Kill();
        _process.Dispose();
    }
}
