using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Connections that subscribe, each to a topic of its own, and read only when they are told to.</summary>
internal sealed class DeafCrowd(ClientTarget target, int count) : IDisposable
{
    // The least that the system allows: what a client does not read shall wait in the server.
    private const int ReceiveBuffer = 4 * 1024;

    // As over Ethernet. Loopback's are so large that the system keeps 2.6 MB for each of them before the server has to, and more for all
    // than it has for sockets.
    private const int SegmentBytes = 1460;

    // Beyond the CloseTimeout that the server has here.
    private static readonly TimeSpan Patience = TimeSpan.FromSeconds(60);

    private readonly StompConnection[] _deaf = [.. Enumerable.Range(0, count)
        .Select(_ => new StompConnection(target, ReceiveBuffer, SegmentBytes))];
    private volatile bool _reads;
    private Task<bool[]> _reading = Task.FromResult<bool[]>([]);

    /// <summary>Octets of a message that fills what is kept for one of them.</summary>
    public const int FillingBytes = 16 * 1024;

    /// <summary>Of one of them.</summary>
    public static string Destination(int index) => $"/topic/deaf-{index}";

    public Task ConnectAsync(CancellationToken cancellationToken) =>
        ReaderCrowd.OpenAsync(_deaf, i => [StompMessages.Subscribe("s", Destination(i))], cancellationToken);

    /// <summary>From now on all of them read as it comes.</summary>
    public void Read()
    {
        _reads = true;
        _reading = Task.WhenAll(_deaf.Select(ReadAsync));
    }

    /// <summary>From now on none of them reads, but for what it waits for already.</summary>
    public void Stop() => _reads = false;

    /// <summary>All of them read until the server has closed their connections.</summary>
    /// <returns>How many found an ERROR.</returns>
    /// <exception cref="ChildException">The server left one open.</exception>
    public async Task<int> ReadToEndAsync(CancellationToken cancellationToken)
    {
        Read();
        try
        {
            return (await _reading.WaitAsync(Patience, cancellationToken)).Count(told => told);
        }
        catch (TimeoutException)
        {
            throw new ChildException(
                $"The server left a connection open that did not read, {Patience.TotalSeconds:0} s after it was to end all of them.",
                ChildException.Unreachable);
        }
    }

    /// <summary>Completes when every connection has ended.</summary>
    public Task EndAsync()
    {
        Dispose();
        return _reading;
    }

    public void Dispose()
    {
        foreach (var deaf in _deaf)
            deaf.Dispose();
    }

    private async Task<bool> ReadAsync(StompConnection deaf)
    {
        var told = false;
        do
        {
            while (deaf.TryRead(out var frame))
                told |= frame.Command == StompCommand.Error;
        }
        while (_reads && await deaf.ReceiveAsync());
        return told;
    }
}
