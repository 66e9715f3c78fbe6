using System.Threading.Channels;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

/// <summary>A broker that does nothing by itself: the test decides what becomes of each publish, and delivers what it likes.</summary>
internal sealed class FakeBroker : IBroker
{
    private readonly Channel<FakePublish> _publishes = Channel.CreateUnbounded<FakePublish>();
    private readonly Channel<string> _rooms = Channel.CreateUnbounded<string>();

    public string Name => "fake";

    public QueueStats? Queue => null;

    public bool Keeps => true;

    /// <summary>Called for each publish, on the session's thread.</summary>
    public Action<FakePublish> OnPublish { get; set; } = _ => { };

    /// <summary>Called before <see cref="RoomAt"/> takes note.</summary>
    public Action OnRoom { get; set; } = () => { };

    public static RelayHarness Serve(out FakeBroker broker, Action<RelayOptions>? configure = null)
    {
        var made = broker = new FakeBroker();
        return new RelayHarness(_ => made, configure);
    }

    public ValueTask<PublishOutcome> PublishAsync(IReadOnlyList<Message> messages)
    {
        var publish = new FakePublish(messages);
        OnPublish(publish);
        _publishes.Writer.TryWrite(publish);
        return publish.Outcome;
    }

    public void RoomAt(string destination)
    {
        OnRoom();
        _rooms.Writer.TryWrite(destination);
    }

    public Task<FakePublish> NextPublishAsync() => _publishes.Reader.ReadAsync().AsTask().Patiently();

    /// <summary>The destination of the next call of <see cref="RoomAt"/>.</summary>
    public Task<string> NextRoomAsync() => _rooms.Reader.ReadAsync().AsTask().Patiently();

    /// <summary>Forgets the calls of <see cref="RoomAt"/> so far.</summary>
    public void ForgetRooms()
    {
        while (_rooms.Reader.TryRead(out _))
        {
        }
    }
}
