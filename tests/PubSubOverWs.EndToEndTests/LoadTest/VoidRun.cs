using System.Runtime.Versioning;
using PubSubOverWs.EndToEndTests.Relay;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.EndToEndTests.LoadTest;

/// <summary>A run of the smoke test on a queue of its own, to which something happens.</summary>
public abstract class VoidRun : IAsyncLifetime
{
    private readonly TestFolder _folder = new();
    private ChildServer _queue = null!;
    private QueueFront _front = null!;

    private protected TestFolder Folder => _folder;

    private protected Uri Queue => _queue.Address;

    private protected QueueFront Front => _front;

    public async Task InitializeAsync()
    {
        _queue = await TestServers.QueueAsync();
        _front = new QueueFront(_queue.Address);
        await _front.ComeAsync();
    }

    public async Task DisposeAsync()
    {
        await _front.DisposeAsync();
        await _queue.DisposeAsync();
        _folder.Dispose();
    }

    private protected Task<ProgramResult> RunAsync(Func<Task> meanwhile) => RunAsync(_ => meanwhile());

    /// <param name="meanwhile">Once the first of two levels is done; gets the process of the run.</param>
    private protected async Task<ProgramResult> RunAsync(Func<int, Task> meanwhile)
    {
        using var run = LoadTestProcess.Start(
            _folder.Path, "run", "smoke", "--users", "20,40", "--iterations", "5", "--set", "deadline=2s", "--out", "record",
            "--sqs-endpoint", _front.Address.ToString());
        while (await run.NextLineAsync() is not [>= '0' and <= '9', ..])
        {
        }
        await meanwhile(run.Id);
        return await run.EndAsync();
    }

    // No gate is told, and no loss.
    private protected void AssertVoid(string because, ProgramResult end)
    {
        Assert.True(end.ExitCode == 10, end.Output + end.Error);
        Assert.Contains(because, end.Error, StringComparison.Ordinal);
        Assert.Contains("was not measured, and the run ended", end.Error, StringComparison.Ordinal);
        Assert.DoesNotContain("gate ", end.Output, StringComparison.Ordinal);
        var record = RecordReader.Read(_folder.Record);
        Assert.False(record.Run.Complete);
        Assert.All(record.Rows, row => Assert.Equal(0, row.Buckets.Lost));
        Assert.Contains(because, Assert.Single(record.Events, one => one.Kind == "void").Detail, StringComparison.Ordinal);
        Assert.Empty(_folder.ProcessesLeft());
    }

    [UnsupportedOSPlatform("windows")]
    internal static async Task PauseAsync(int process)
    {
        ProcessSignal.Stop(process);
        await Waiting.UntilAsync(() => File.ReadAllText($"/proc/{process}/stat").Contains(") T ", StringComparison.Ordinal));
        ProcessSignal.Continue(process);
    }
}
