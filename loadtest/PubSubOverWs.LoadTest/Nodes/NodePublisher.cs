using System.Collections.Concurrent;
using System.Globalization;
using PubSubOverWs.LoadTest.Clients;

namespace PubSubOverWs.LoadTest.Nodes;

/// <summary>Publishes numbered messages to one node, so many under way at a time, and notes which of them it took.</summary>
internal sealed class NodePublisher : IDisposable
{
    private const int UnderWay = 50;
    private const int BodyBytes = 100;

    private readonly bool[] _taken;
    private readonly SemaphoreSlim _room = new(UnderWay);
    private NodeClient _client = null!;
    private readonly ConcurrentDictionary<int, bool> _unanswered = [];
    private readonly Action<int> _sending;

    private NodePublisher(bool[] taken, Action<int> sending) => (_taken, _sending) = (taken, sending);

    /// <param name="target">The node.</param>
    /// <param name="taken">By number: set when the server says that it took the message.</param>
    /// <param name="stopping">Ends the connecting.</param>
    /// <param name="sending">Told of each message right before it is sent.</param>
    public static async Task<NodePublisher> ConnectAsync(
        ClientTarget target, bool[] taken, CancellationToken stopping, Action<int>? sending = null)
    {
        var publisher = new NodePublisher(taken, sending ?? (_ => { }));
        publisher._client = await NodeClient.PublishAsync(target, publisher.Answered, stopping);
        return publisher;
    }

    /// <summary>Waits for room and sends. False: the connection is gone, and the message was not sent.</summary>
    public async Task<bool> SendAsync(string destination, int number, CancellationToken stopping)
    {
        var room = _room.WaitAsync(stopping);
        if (await Task.WhenAny(room, _client.Ended) != room)
            return false;
        await room;
        var id = number.ToString(CultureInfo.InvariantCulture);
        _unanswered[number] = true;
        _sending(number);
        if (_client.TrySend(StompMessages.Send(destination, id, Payload.Write(BodyBytes, id, user: 0, number), receipt: id)))
            return true;
        _unanswered.TryRemove(number, out _);
        return false;
    }

    /// <summary>Completes when everything sent is answered, or the connection is gone.</summary>
    public async Task AnsweredAsync(CancellationToken stopping)
    {
        for (var i = 0; i < UnderWay; i++)
        {
            var room = _room.WaitAsync(stopping);
            if (await Task.WhenAny(room, _client.Ended) != room)
                return;
            await room;
        }
        _room.Release(UnderWay);
    }

    /// <summary>Messages that were sent and whose fate this publisher does not know.</summary>
    public IReadOnlyCollection<int> Unanswered => [.. _unanswered.Keys];

    public void Dispose()
    {
        _client.Dispose();
        _room.Dispose();
    }

    private void Answered(string receipt, bool taken)
    {
        var number = int.Parse(receipt, NumberStyles.None, CultureInfo.InvariantCulture);
        _taken[number] = taken;
        _unanswered.TryRemove(number, out _);
        _room.Release();
    }
}
