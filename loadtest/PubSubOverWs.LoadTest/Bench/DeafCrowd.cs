using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Connections that subscribe to one topic and never read, and one that publishes there, until all buffers between are full and beyond.</summary>
internal sealed class DeafCrowd(ClientTarget target, int count, TimeProvider time) : IDisposable
{
    private const string Topic = "/topic/deaf";
    private const int BodyBytes = 16 * 1024;

    // The least that the system allows: what a client does not read shall wait in the server.
    private const int ReceiveBuffer = 4 * 1024;

    private static readonly TimeSpan Between = TimeSpan.FromMilliseconds(100);

    private readonly StompConnection[] _deaf = [.. Enumerable.Range(0, count).Select(_ => new StompConnection(target, ReceiveBuffer))];
    private readonly StompConnection _publisher = new(target);
    private readonly CancellationTokenSource _ending = new();
    private Task _publishing = Task.CompletedTask;

    public async Task ConnectAsync(CancellationToken cancellationToken)
    {
        await ReaderCrowd.OpenAsync(_deaf, _ => Topic, cancellationToken);
        await ReaderCrowd.OpenAsync([_publisher], _ => "/queue/of-the-publisher", cancellationToken);
        _publishing = PublishAsync();
    }

    public async Task EndAsync()
    {
        await _ending.CancelAsync();
        await _publishing;
        Dispose();
    }

    public void Dispose()
    {
        foreach (var deaf in _deaf)
            deaf.Dispose();
        _publisher.Dispose();
        _ending.Dispose();
    }

    private async Task PublishAsync()
    {
        var frame = StompMessages.Send(Topic, "deaf", new byte[BodyBytes], receipt: null);
        using var timer = new PeriodicTimer(Between, time);
        try
        {
            while (await timer.WaitForNextTickAsync(_ending.Token))
            {
                if (!_publisher.TrySend(frame))
                    throw new ChildException("The server closed the connection that publishes to those who do not read.", ChildException.Unreachable);
            }
        }
        catch (OperationCanceledException)
        {
            // The leg is over.
        }
    }
}
