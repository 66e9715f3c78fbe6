using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Loads one server for a while and reads what it took.</summary>
/// <param name="server">Under load.</param>
/// <param name="queue">The queue behind it; null: none.</param>
/// <param name="time">For the length of a leg.</param>
internal sealed class LegRunner(IServerUnderLoad server, ChildServer? queue, TimeProvider time)
{
    /// <summary>Before a leg is measured.</summary>
    public static readonly TimeSpan WarmUp = TimeSpan.FromSeconds(1);

    private int _legs;

    /// <summary>What clients log in with.</summary>
    public ServerAccess Access { get; init; } = ServerAccess.None;

    /// <summary>Bytes of the frames that came back last.</summary>
    public int LastFrameBytes { get; private set; }

    /// <summary>Where a client sends to and subscribes; as long for every client.</summary>
    public static string Destination(int leg, int client) => Invariant($"/queue/bench-{leg:d3}-{client:d5}");

    /// <summary>Measures a leg after its <see cref="WarmUp"/>.</summary>
    /// <exception cref="ChildException">The server cut a connection.</exception>
    public Task<Leg> RunAsync(LoadShape shape, TimeSpan length, CancellationToken cancellationToken) =>
        RunAsync(shape, WarmUp, () => length, cancellationToken);

    /// <inheritdoc cref="RunAsync(LoadShape, TimeSpan, CancellationToken)"/>
    /// <param name="warmUp">Before it is measured.</param>
    /// <param name="length">Asked when it begins.</param>
    public async Task<Leg> RunAsync(LoadShape shape, TimeSpan warmUp, Func<TimeSpan> length, CancellationToken cancellationToken)
    {
        var target = await ClientTarget.ResolveAsync(server.Address, Access, cancellationToken);
        _legs++;
        var clients = Enumerable.Range(0, shape.Connections)
            .Select(index => new SaturatingClient(target, shape, Destination(_legs, index), index)).ToList();
        try
        {
            foreach (var client in clients)
                client.Open();
            var leg = await MeasureAsync(new Saturation(clients, shape.Depth), warmUp, length(), cancellationToken);
            LastFrameBytes = clients.Max(client => client.LastFrameBytes);
            return leg;
        }
        finally
        {
            clients.ForEach(client => client.Dispose());
        }
    }

    private async Task<Leg> MeasureAsync(Saturation load, TimeSpan warmUp, TimeSpan length, CancellationToken cancellationToken)
    {
        var running = load.RunAsync();
        try
        {
            await WaitAsync(running, warmUp, cancellationToken);
            var (messages, start) = (load.Messages, time.GetTimestamp());
            var (server0, queue0, load0) = Cpu();
            await WaitAsync(running, length, cancellationToken);
            var (server1, queue1, load1) = Cpu();
            var seconds = time.GetElapsedTime(start).TotalSeconds;
            messages = load.Messages - messages;
            load.Stop();
            var missing = await running;
            return new Leg(server.Name, messages, seconds, server1 - server0, queue1 - queue0, load1 - load0, missing);
        }
        finally
        {
            load.Stop();
            await Task.WhenAny(running);
        }
    }

    /// <summary>Waits, unless the load ends first, which it does by failing.</summary>
    private async Task WaitAsync(Task<int> running, TimeSpan length, CancellationToken cancellationToken)
    {
        var wait = Task.Delay(length, time, cancellationToken);
        if (await Task.WhenAny(running, wait) == running)
            await running;
        await wait;
    }

    private (double Server, double? Queue, double Load) Cpu() =>
        (server.Use.Cpu.TotalSeconds, queue?.Use.Cpu.TotalSeconds, ProcessUse.OfThisProcess().Cpu.TotalSeconds);
}
