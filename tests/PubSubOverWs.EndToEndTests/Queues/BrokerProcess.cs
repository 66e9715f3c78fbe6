using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Queues;

namespace PubSubOverWs.EndToEndTests.Queues;

/// <summary>A server of queues that others wrote, on a port and a folder of its own.</summary>
/// <param name="scheme">Of its address.</param>
/// <param name="needed">Without it nothing is started.</param>
public abstract class BrokerProcess(string scheme, Needed needed) : IQueueServer, IAsyncLifetime
{
    private const int LinesKept = 30;

    private readonly ConcurrentQueue<string> _said = [];
    private Process? _process;

    public Uri Address => new(string.Create(CultureInfo.InvariantCulture, $"{scheme}://127.0.0.1:{Port}"));

    protected int Port { get; } = FreePort.Find();

    /// <summary>For its data, which outlive its process.</summary>
    protected string Folder { get; } = Directory.CreateTempSubdirectory("broker-").FullName;

    public abstract IQueue Connect(Uri address);

    public async Task InitializeAsync()
    {
        if (Needs.Missing(needed) is null)
            await StartAsync();
    }

    public async Task RestartAsync()
    {
        await KillAsync();
        await StartAsync();
    }

    public virtual async Task DisposeAsync()
    {
        if (_process is not null)
            await KillAsync();
        Directory.Delete(Folder, recursive: true);
    }

    public async Task StartAsync()
    {
        var start = Command();
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        _process = Process.Start(start)!;
        _process.OutputDataReceived += (_, line) => Note(line.Data);
        _process.ErrorDataReceived += (_, line) => Note(line.Data);
        _process.BeginOutputReadLine();
        _process.BeginErrorReadLine();
        var (name, didEnd) = ($"{start.FileName} at port {Port}", false);
        try
        {
            await Waiting.UntilAsync(async () => (didEnd = _process.HasExited) || await TakesCallsAsync(), $"{name} takes calls");
        }
        catch (TimeoutException late)
        {
            throw new TimeoutException($"{late.Message}\n{string.Join('\n', _said)}", late);
        }
        Assert.False(didEnd, $"{name} ended by itself:\n{string.Join('\n', _said)}");
    }

    public async Task KillAsync()
    {
        _process!.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
    }

    private void Note(string? line)
    {
        if (line is null)
            return;
        _said.Enqueue(line);
        if (_said.Count > LinesKept)
            _said.TryDequeue(out _);
    }

    /// <summary>What starts it on the data that it left.</summary>
    protected abstract ProcessStartInfo Command();

    // Or refuses them for good. One that still reads its data takes connections and refuses calls.
    private async Task<bool> TakesCallsAsync()
    {
        var queue = Connect(Address);
        await using var connection = (IAsyncDisposable)queue;
        try
        {
            await queue.DeleteAsync(await queue.OpenAsync("ready", CancellationToken.None), CancellationToken.None);
            return true;
        }
        catch (QueueException failure)
        {
            return !failure.IsRetryable;
        }
    }
}
