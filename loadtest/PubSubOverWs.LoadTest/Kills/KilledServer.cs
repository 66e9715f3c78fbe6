using System.Globalization;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.LoadTest.Targets.Drain;
using PubSubOverWs.LoadTest.Targets.Sqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>The embedded queue, and one pubsub server on it that is killed and comes back on its port.</summary>
internal sealed class KilledServer : IAsyncDisposable
{
    private const string Name = "kills";

    private readonly ChildServer _queue;
    private readonly ChildServer _server;
    private readonly SqsOverHttp _sqs;
    private readonly TimeProvider _time;

    private KilledServer(ChildServer queue, ChildServer server, TimeProvider time)
    {
        (_queue, _server, _time) = (queue, server, time);
        _sqs = QueueTarget.Embedded.Connect(queue.Address, time);
    }

    /// <summary>Of the process that runs now.</summary>
    public long ResidentBytes => _server.Use.ResidentBytes;

    public long QueueResidentBytes => _queue.Use.ResidentBytes;

    /// <param name="maxInFlight">What it may have received and not deleted.</param>
    /// <param name="time">The clock of its outages.</param>
    /// <param name="stopping">Ends the start.</param>
    /// <exception cref="ChildException">One of the two did not start.</exception>
    public static async Task<KilledServer> StartAsync(int maxInFlight, TimeProvider time, CancellationToken stopping)
    {
        var queue = await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), stopping);
        try
        {
            return new KilledServer(
                queue, await ChildServer.StartAsync(Command(queue.Address, maxInFlight), new ChildOptions(), stopping), time);
        }
        catch
        {
            await queue.DisposeAsync();
            throw;
        }
    }

    public Task<ClientTarget> TargetAsync(CancellationToken stopping) => ClientTarget.ResolveAsync(_server.Address, stopping);

    /// <summary>Kills it (SIGKILL) and starts it again.</summary>
    /// <returns>From the kill until it is ready again.</returns>
    /// <exception cref="ChildException">It had ended by itself, or does not come back.</exception>
    public async Task<TimeSpan> KillAsync(CancellationToken stopping)
    {
        var killed = _time.GetTimestamp();
        await _server.KillRunningAsync();
        await _server.RestartAsync(stopping);
        return _time.GetElapsedTime(killed);
    }

    /// <summary>Before the first message: what is dead-lettered later is new.</summary>
    public async Task<DrainProof> BeginDrainAsync(CancellationToken stopping)
    {
        var url = await _sqs.GetQueueUrlAsync(Name, stopping);
        var dead = await _sqs.GetQueueUrlAsync(Name + "-dead", stopping);
        var parked = await _sqs.GetQueueUrlAsync(Name + "-parked", stopping);
        return await DrainProof.BeginAsync(new QueueLocation(_sqs, [url, parked], dead), HeldAsync, DrainLooks.Near, _time, stopping);
    }

    public async ValueTask DisposeAsync()
    {
        _sqs.Dispose();
        await _server.DisposeAsync();
        await _queue.DisposeAsync();
    }

    private async Task<long?> HeldAsync(CancellationToken stopping)
    {
        using var stats = new StatsReader(_server.Address);
        return await stats.ReadAsync(stopping) is { } json ? StatsReader.Held(json) : null;
    }

    // What a killed server had received comes again after 5 s, which is about when the next kill comes.
    private static ChildCommand Command(Uri queue, int maxInFlight)
    {
        var command = QueueTarget.Embedded.Server(Name, queue);
        return command with
        {
            Arguments =
            [
                .. command.Arguments, "--Sqs:VisibilityTimeout", "00:00:05", "--Sqs:WaitTime", "00:00:02", "--Sqs:Nodes:Enabled", "false",
                "--Sqs:MaxInFlight", maxInFlight.ToString(CultureInfo.InvariantCulture),
            ],
        };
    }
}
