using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Sends to destinations whose subscribers do not take what comes: a message for each, round after round.</summary>
internal sealed class Filling(ClientTarget target, IReadOnlyList<string> destinations, int bodyBytes) : IDisposable
{
    private const int Publishers = 32;

    // More than Relay:OutboxBytes and what the system keeps, for one of them, at 16 KiB a message.
    private const int MostRounds = 400;

    private readonly StompConnection[] _publishers = [.. Enumerable.Range(0, Math.Min(Publishers, destinations.Count))
        .Select(_ => new StompConnection(target))];
    private readonly byte[] _body = [.. Enumerable.Repeat((byte)'x', bodyBytes)];

    public Task ConnectAsync(CancellationToken cancellationToken) =>
        ReaderCrowd.OpenAsync(_publishers, i => [StompMessages.Subscribe("s", $"/queue/filling-{i}")], cancellationToken);

    /// <summary>Goes on until a round ends with <paramref name="isDone"/>.</summary>
    /// <exception cref="ChildException">It never did, or the server did not take a message.</exception>
    public async Task UntilAsync(Func<Task<bool>> isDone, CancellationToken cancellationToken)
    {
        for (var round = 0; round == 0 || !await isDone(); round++)
        {
            if (round == MostRounds)
                throw new ChildException(
                    $"The server took {MostRounds} messages of {bodyBytes} B for each connection that does not read, and still had room "
                        + "for some.", ChildException.Unreachable);
            await RoundsAsync(1, cancellationToken);
        }
    }

    /// <summary>Sends so many messages to each destination; each publisher waits for the receipt of one before it sends the next.</summary>
    /// <exception cref="ChildException">The server did not take a message.</exception>
    public Task RoundsAsync(int rounds, CancellationToken cancellationToken) =>
        Task.WhenAll(
            _publishers.Select((publisher, i) => Task.Run(() => SendAsync(publisher, i, rounds, cancellationToken), cancellationToken)));

    public void Dispose()
    {
        foreach (var publisher in _publishers)
            publisher.Dispose();
    }

    private async Task SendAsync(StompConnection publisher, int first, int rounds, CancellationToken cancellationToken)
    {
        for (var round = 0; round < rounds; round++)
        {
            for (var i = first; i < destinations.Count; i += Publishers)
            {
                cancellationToken.ThrowIfCancellationRequested();
                publisher.TrySend(StompMessages.Send(destinations[i], "filling", _body, receipt: "r"));
                if (await publisher.ExpectAsync(StompCommand.Receipt) is { } failure)
                    throw new ChildException(
                        $"The server did not take a message for a connection that does not read: {failure.Detail}.",
                        ChildException.Unreachable);
            }
        }
    }
}
