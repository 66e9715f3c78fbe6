using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>Sends to destinations whose subscribers do not take what comes: a message for each, round after round.</summary>
public sealed class Filling(ClientTarget target, IReadOnlyList<string> destinations, int bodyBytes) : IDisposable
{
    /// <summary>Bytes of a message that fills the buffers of a connection that does not read.</summary>
    public const int LargeBytes = 16 * 1024;

    private const int Publishers = 32;

    // At LargeBytes a message more than one connection may have: half of Relay:TopicBacklogBytesTotal, or with N connections an (N + 1)-th
    // (2,048 rounds), beside Relay:OutboxBytes and what the system keeps (264 in all were measured).
    private const int MaxRounds = 2_500;

    private readonly StompConnection[] _publishers = [.. Enumerable.Range(0, Math.Min(Publishers, destinations.Count))
        .Select(_ => new StompConnection(target))];
    private readonly byte[] _body = [.. Enumerable.Repeat((byte)'x', bodyBytes)];

    public Task ConnectAsync() => Task.WhenAll(_publishers.Select(ConnectAsync));

    /// <summary>Goes on until a round ends with <paramref name="isDone"/>.</summary>
    /// <returns>How many rounds there were.</returns>
    /// <exception cref="ChildException">It never did, or the server did not take a message.</exception>
    public async Task<int> UntilAsync(Func<Task<bool>> isDone, CancellationToken cancellationToken)
    {
        for (var rounds = 1; rounds <= MaxRounds; rounds++)
        {
            await RoundsAsync(1, cancellationToken);
            if (await isDone())
                return rounds;
        }

        throw new ChildException(
            $"The server took {MaxRounds} messages of {bodyBytes} B for each connection that does not read, and still had room for some.");
    }

    /// <summary>
    /// Sends <paramref name="rounds"/> messages to each destination; each publisher waits for the receipt of one before it sends the next.
    /// </summary>
    /// <exception cref="ChildException">The server did not take a message.</exception>
    public Task RoundsAsync(int rounds, CancellationToken cancellationToken) =>
        Task.WhenAll(
            _publishers.Select((publisher, i) => Task.Run(() => SendAsync(publisher, i, rounds, cancellationToken), cancellationToken)));

    public void Dispose()
    {
        foreach (var publisher in _publishers)
            publisher.Dispose();
    }

    private static async Task ConnectAsync(StompConnection publisher)
    {
        if ((await publisher.OpenAsync() ?? await publisher.LogInAsync()) is { } failure)
            throw new ChildException($"A publisher for connections that do not read could not connect: {failure.Detail}.");
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
                        $"The server did not take a message for a connection that does not read: {failure.Detail}.");
            }
        }
    }
}

/// <summary>
/// Sees when connections that do not read are full. A round sends one message to each, and they are not full at the same time: it is
/// reached when none of a round was taken. Twice, because messages that were taken in one round may be counted in the next.
/// </summary>
public sealed class Fullness
{
    private const int RoundsToBeSure = 2;

    private long _taken = -1;
    private int _rounds;

    /// <param name="taken">Messages that were taken until the end of this round, since the server started.</param>
    public bool IsReachedAt(long taken)
    {
        _rounds = taken == _taken ? _rounds + 1 : 0;
        _taken = taken;
        return _rounds >= RoundsToBeSure;
    }
}
