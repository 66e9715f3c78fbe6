using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Harness.Workers;

/// <summary>A process that has a share of the clients of a run.</summary>
public interface ILoadProcess
{
    /// <summary>Such as <c>load-1</c>.</summary>
    string Name { get; }

    /// <summary>The resources that it has used so far; null: not known here.</summary>
    ProcessUse? Use { get; }

    /// <summary>Completes when it has ended, or cannot be reached any more.</summary>
    Task<WorkerEnd> Ended { get; }

    /// <summary>A connection for orders broke, which may say that it has ended.</summary>
    void Broke(string why);

    /// <summary>A client for orders, which whoever calls disposes.</summary>
    HttpClient Connect();

    /// <summary>Its clock is not that of this process.</summary>
    bool HasOwnClock { get; }

    /// <summary>Its clock beside that of this process; null: they have the same.</summary>
    /// <exception cref="IOException">It does not say.</exception>
    Task<ClockReading?> ReadClockAsync(CancellationToken cancellationToken);
}

/// <summary>What became of a load process.</summary>
/// <param name="What">Such as <c>ended unexpectedly with exit code 137</c>.</param>
/// <param name="More">Further sentences, each after a space; empty: none.</param>
public sealed record WorkerEnd(string What, string More);

/// <summary>A load process that this run has started.</summary>
/// <param name="process">Disposed by whoever started it.</param>
public sealed class StartedWorker(ChildServer process) : ILoadProcess
{
    public string Name => process.Name;

    public ProcessUse? Use => process.Use;

    public bool HasOwnClock => false;

    public Task<WorkerEnd> Ended { get; } = EndAsync(process);

    // Its end is known by itself.
    public void Broke(string why)
    {
    }

    public HttpClient Connect() => new(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = process.Address };

    public Task<ClockReading?> ReadClockAsync(CancellationToken cancellationToken) => Task.FromResult<ClockReading?>(null);

    private static async Task<WorkerEnd> EndAsync(ChildServer process)
    {
        var exit = await process.Exited;
        return new WorkerEnd(
            Invariant($"ended unexpectedly with exit code {exit.ExitCode}"),
            exit.LastLines.Count == 0 ? "" : $" Its last output: {string.Join(" | ", exit.LastLines)}");
    }
}

/// <summary>What several of them use together; null: that of one of them is not known here.</summary>
public static class LoadProcesses
{
    public static TimeSpan? Cpu(IEnumerable<ILoadProcess> all) =>
        all.Aggregate((TimeSpan?)TimeSpan.Zero, (sum, one) => sum + one.Use?.Cpu);

    public static long? ResidentBytes(IEnumerable<ILoadProcess> all) => all.Aggregate((long?)0, (sum, one) => sum + one.Use?.ResidentBytes);
}
