using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>The way of messages through the queue or the queues, once these are open.</summary>
internal interface IFlow : IDisposable
{
    /// <summary>The queue without which this server is not ready.</summary>
    QueueUrls Urls { get; }

    Publisher Publisher { get; }

    QueueStats Stats { get; }

    /// <summary>A subscriber came, or has room again.</summary>
    void RoomAt(string destination);

    /// <summary>Whether the queue answers, and whatever else this server needs works.</summary>
    /// <returns>Null: so it is. Otherwise the sentence of what fails at present.</returns>
    /// <exception cref="Sqs.SqsException">The queue does not answer, or refused.</exception>
    Task<string?> AskAsync(CancellationToken cancellationToken);

    /// <summary>Runs until the server stops, and leaves nothing here that the queue does not know of.</summary>
    /// <param name="stopping">Asks the queue for no more; what is on its way here goes back to it, and what subscribers have is still
    /// settled.</param>
    /// <param name="connectionsClosed">Nobody publishes or acknowledges any more.</param>
    Task RunAsync(CancellationToken stopping, CancellationToken connectionsClosed);
}
