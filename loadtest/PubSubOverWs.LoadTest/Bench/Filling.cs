using PubSubOverWs.LoadTest.Load.Children;
using PubSubOverWs.LoadTest.Load.Clients;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>Fills what is kept for each of a <see cref="DeafCrowd"/>: a message for each, of its own, round after round.</summary>
internal sealed class Filling(ClientTarget target, int count) : IDisposable
{
    private const int Publishers = 32;
    private const int BodyBytes = 16 * 1024;

    // More than Relay:OutboxBytes and what the system keeps, for one of them.
    private const int MostRounds = 400;

    private readonly StompConnection[] _publishers = [.. Enumerable.Range(0, Publishers).Select(_ => new StompConnection(target))];
    private readonly byte[] _body = [.. Enumerable.Repeat((byte)'x', BodyBytes)];

    /// <summary>Goes on until a round ends with <paramref name="isDone"/>.</summary>
    /// <exception cref="ChildException">It never did, or the server did not take a message.</exception>
    public async Task UntilAsync(Func<Task<bool>> isDone, CancellationToken cancellationToken)
    {
        await ReaderCrowd.OpenAsync(_publishers, i => $"/queue/filling-{i}", cancellationToken);
        for (var round = 0; round == 0 || !await isDone(); round++)
        {
            if (round == MostRounds)
                throw new ChildException($"The server took {MostRounds} messages of {BodyBytes} B for each connection that does not read, and still had room for some.", ChildException.Unreachable);
            await Task.WhenAll(_publishers.Select((publisher, i) => Task.Run(() => RoundAsync(publisher, i, cancellationToken), cancellationToken)));
        }
    }

    public void Dispose()
    {
        foreach (var publisher in _publishers)
            publisher.Dispose();
    }

    private async Task RoundAsync(StompConnection publisher, int first, CancellationToken cancellationToken)
    {
        for (var i = first; i < count; i += Publishers)
        {
            cancellationToken.ThrowIfCancellationRequested();
            publisher.TrySend(StompMessages.Send(DeafCrowd.Destination(i), "filling", _body, receipt: "r"));
            if (await publisher.ExpectAsync(StompCommand.Receipt) is { } failure)
                throw new ChildException($"The server did not take a message for a connection that does not read: {failure.Detail}.", ChildException.Unreachable);
        }
    }
}
