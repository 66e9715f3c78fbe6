using System.Net.Sockets;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Processes;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Bench;

/// <summary>
/// One connection under load, on a socket that never blocks once it is open: it reads all that is there and sends as many messages as
/// came, in one system call each. It must be cheap, because load and server share the cores.
/// </summary>
internal sealed class SaturatingClient : IDisposable
{
    private static readonly StompLimits Limits = new() { MaxBodyBytes = 1 << 20 };

    private readonly ClientTarget _target;
    private readonly LoadShape _shape;
    private readonly string _destination;
    private readonly ReceiveBuffer _received = new();
    private readonly StompReader _reader = new(Limits);

    /// <param name="target">Where to connect.</param>
    /// <param name="shape">The load.</param>
    /// <param name="destination">Of this client alone, and new in each leg: a server that has not seen yet that a connection is gone gives
    /// it messages.</param>
    /// <param name="index">Distinct among the clients of a leg.</param>
    public SaturatingClient(ClientTarget target, LoadShape shape, string destination, int index)
    {
        var body = Enumerable.Repeat((byte)'x', shape.BodyBytes).ToArray();
        (_target, _shape, _destination) = (target, shape, destination);
        Frames = new FrameTrain(index, _destination, body, shape.Depth);
        Socket = new Socket(target.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
    }

    public Socket Socket { get; }

    public FrameTrain Frames { get; }

    /// <summary>Messages that were sent and have not come back.</summary>
    public int UnderWay { get; private set; }

    /// <summary>Bytes of the last message that came back, as a STOMP frame.</summary>
    public int LastFrameBytes { get; private set; }

    /// <summary>Connects and subscribes; the socket blocks until then.</summary>
    public void Open()
    {
        Socket.Connect(_target.EndPoint);
        Upgrade();
        if (!_shape.IsEcho)
        {
            Socket.Send(_target.ConnectFrame.Span);
            Expect(StompCommand.Connected);
            Socket.Send(StompMessages.Subscribe("s", _destination));
            Expect(StompCommand.Receipt);
        }

        Socket.Blocking = false;
    }

    public void Send(int count)
    {
        var rest = Frames.Next(count);
        UnderWay += count;
        while (rest.Length > 0)
        {
            var sent = Socket.Send(rest, SocketFlags.None, out var error);
            if (error == SocketError.WouldBlock)
                Socket.Poll(Timeout.InfiniteTimeSpan, SelectMode.SelectWrite);
            else if (error != SocketError.Success)
                throw Broken(error.ToString());
            rest = rest[Math.Max(sent, 0)..];
        }
    }

    /// <summary>Reads what is there. Returns the messages that came back.</summary>
    public int Receive()
    {
        if (!TryFill())
            return 0;
        var count = 0;
        while (TryRead(out var frame))
        {
            if (frame.Command is not (StompCommand.Message or StompCommand.Send))
                throw Broken(Describe(frame));
            count++;
        }

        UnderWay -= count;
        return count;
    }

    public void Dispose()
    {
        Socket.Close(0);
        _received.Dispose();
    }

    private void Upgrade()
    {
        var key = UpgradeKey.Create();
        Socket.Send(_target.UpgradeRequest(key));
        int length;
        string? rejection;
        while (!UpgradeResponse.TryRead(_received.Raw, UpgradeKey.Accept(key), out length, out rejection))
            TryFill();
        if (rejection is not null)
            throw Broken(rejection);
        _received.SkipRaw(length);
    }

    private void Expect(StompCommand command)
    {
        StompFrame frame;
        while (!TryRead(out frame))
            TryFill();
        if (frame.Command != command)
            throw Broken(Describe(frame));
    }

    private bool TryRead(out StompFrame frame)
    {
        _received.Unframe();
        var isWhole = _reader.TryRead(_received.Payload, out frame, out var consumed);
        _received.Consume(consumed);
        if (isWhole)
            LastFrameBytes = consumed;
        return isWhole;
    }

    /// <summary>False: nothing is there now.</summary>
    private bool TryFill()
    {
        var count = Socket.Receive(_received.GetMemory().Span, SocketFlags.None, out var error);
        if (error == SocketError.WouldBlock)
            return false;
        if (error != SocketError.Success || count == 0)
            throw Broken(error == SocketError.Success ? "closed" : error.ToString());
        _received.Received(count);
        return true;
    }

    private static string Describe(StompFrame frame) => $"{frame.Command} {frame.GetString(StompNames.Message)}".TrimEnd();

    private ChildException Broken(string what) => new(
        $"The server at {_target.Address} broke a connection of the bench: {what}. Look at what it wrote to its log.");
}
