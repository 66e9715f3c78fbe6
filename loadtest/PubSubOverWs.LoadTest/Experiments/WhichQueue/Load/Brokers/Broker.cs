using PubSubOverWs.LoadTest.Harness.Faults;
using PubSubOverWs.LoadTest.Harness.Machine;
using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Queues;

namespace PubSubOverWs.LoadTest.Experiments.WhichQueue.Load.Brokers;

/// <summary>A queue server that runs on a free loopback port, with a folder of its own. Disposing it kills it. Linux only.</summary>
internal sealed class Broker : IQueueProcess, IQueueFaults, IAsyncDisposable
{
    // RabbitMQ takes some seconds.
    private static readonly TimeSpan StartTimeout = TimeSpan.FromSeconds(60);

    private readonly BrokerKind _kind;
    private readonly BrokerPlace _place;
    private readonly BrokerDisk? _disk;
    private readonly TimeProvider _time;
    private SessionProcess? _session;
    private long _written;
    private int _startsCounted;
    private bool _isKilled;

    private Broker(BrokerKind kind, BrokerPlace place, BrokerDisk? disk, TimeProvider time) =>
        (_kind, _place, _disk, _time) = (kind, place, disk, time);

    public Uri Address => new(Invariant($"{_kind.Scheme}://127.0.0.1:{_place.Port}"));

    /// <summary>For events.</summary>
    public string Place => Invariant($"process {_session!.Id} at {Address}");

    public int Starts { get; private set; }

    public ProcessUse Use
    {
        get
        {
            _session!.Look();
            return _session.Use;
        }
    }

    FaultProxy? IQueueFaults.Proxy => null;

    FaultProxy? IQueueFaults.TopicsProxy => null;

    /// <param name="kind">To start.</param>
    /// <param name="canLosePower">Its data is on a disk of its own, of which a copy can be made.</param>
    /// <exception cref="ChildException">It did not start.</exception>
    public static async Task<Broker> StartAsync(
        BrokerKind kind, bool canLosePower, TimeProvider time, CancellationToken cancellationToken)
    {
        // If another process takes the port first, it does not start.
        var place = new BrokerPlace(FreePort.Find(), Directory.CreateTempSubdirectory("pubsub-over-ws-").FullName);
        Directory.CreateDirectory(place.Data);
        var broker = new Broker(kind, place, canLosePower ? new BrokerDisk(place) : null, time);
        try
        {
            if (broker._disk is not null)
                await broker._disk.MakeAsync(cancellationToken);
            await broker.StartAsync(cancellationToken);
            return broker;
        }
        catch
        {
            await broker.DisposeAsync();
            throw;
        }
    }

    /// <summary>Bytes that its processes have written since the last call; null: it was restarted since.</summary>
    public long? CountWritten()
    {
        var now = Sessions.ProcessesOf(_session!.Id).Sum(ProcFiles.BytesWritten);
        var (before, isAnother) = (_written, Starts != _startsCounted);
        (_written, _startsCounted) = (now, Starts);
        return isAnother ? null : now - before;
    }

    public async Task KillAsync(CancellationToken cancellationToken)
    {
        ThrowIfEnded();
        await _session!.KillAsync();
        _isKilled = true;
    }

    public async Task CutPowerAsync(CancellationToken cancellationToken)
    {
        if (OperatingSystem.IsWindows() || _disk is null)
            throw new InvalidOperationException("It has no disk of its own.");
        ThrowIfEnded();
        _session!.Pause();
        await _disk.CutPowerAsync(_session.Id, cancellationToken);
        await KillAsync(cancellationToken);
    }

    public async Task<(string Name, string Place)> RestartAsync(CancellationToken cancellationToken)
    {
        await StartAsync(cancellationToken);
        return (_kind.Arm, Place);
    }

    public async ValueTask DisposeAsync()
    {
        if (_session is not null && !_isKilled)
            await _session.DisposeAsync();
        else if (Directory.Exists(_place.Folder))
            Directory.Delete(_place.Folder, recursive: true);
    }

    private void ThrowIfEnded()
    {
        if (_session!.Exited.IsCompleted)
            throw new ChildException($"{_kind.Arm} ended by itself: {string.Join(' ', _session.LastLines)}");
    }

    private async Task StartAsync(CancellationToken cancellationToken)
    {
        var start = _kind.Start(_place);
        if (start.Configuration is { } text)
            await File.WriteAllTextAsync(_place.File, text, cancellationToken);
        string[] words =
        [
            .. _disk?.Words ?? [], .. start.Environment.Count == 0 ? [] : new[] { "env" },
            .. start.Environment.Select(one => $"{one.Name}={one.Value}"), _kind.ProgramPath!, .. start.Arguments,
        ];
        _session = await SessionProcess.StartAsync(_kind.Arm, _place.Folder, words, _time, cancellationToken);
        _isKilled = false;
        Starts++;
        await _session.ReadyAsync(_kind.Arm, _place.Port, StartTimeout, cancellationToken, AnswersAsync);
    }

    // One that still reads its data accepts connections and refuses calls.
    private async Task AnswersAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            var client = QueueClients.Connect(Address, isOurs: true, _time);
            await using var connection = (IAsyncDisposable)client;
            try
            {
                await client.DeleteAsync(await client.OpenAsync("ready", cancellationToken), cancellationToken);
                return;
            }
            catch (QueueException)
            {
                await Task.Delay(SessionProcess.BetweenLooks, _time, cancellationToken);
            }
        }
    }
}
