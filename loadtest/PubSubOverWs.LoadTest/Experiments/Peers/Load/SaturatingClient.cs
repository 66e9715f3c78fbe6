using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>
/// One connection under load, on a socket that never blocks once it is open: it reads all that is there in one system call. It must be
/// cheap, because load and server share the cores.
/// </summary>
internal sealed class SaturatingClient : IDisposable
{
    // More than waits for a client while its server holds a rate: with 1 KiB those of a broadcast fell behind, and that was held against
    // the server (0195).
    private const int MaxReadAtOnce = 16 * 1024;

    // While it is opened: a server that is overloaded may never answer.
    private const int MaxAnswerMilliseconds = 30_000;

    private readonly ClientTarget _target;
    private readonly LoadShape _shape;
    private readonly string _destination;
    private readonly IDialect _dialect;
    private readonly FrameTrain _frames;
    private readonly ReceiveBuffer _received = new(MaxReadAtOnce);

    /// <param name="target">Where to connect.</param>
    /// <param name="shape">The load.</param>
    /// <param name="destination">Of this client alone, and new in each leg: a server that has not seen yet that a connection is gone gives
    /// it messages.</param>
    /// <param name="index">Distinct among the clients of a leg.</param>
    public SaturatingClient(ClientTarget target, LoadShape shape, string destination, int index)
    {
        _target = target;
        _shape = shape;
        _destination = destination;
        _dialect = shape.Dialect();
        _frames = _dialect.Train(index, _destination, shape.Body, shape.Depth);
        Socket = new Socket(target.EndPoint.AddressFamily, SocketType.Stream, ProtocolType.Tcp)
        {
            NoDelay = true,
            ReceiveTimeout = MaxAnswerMilliseconds,
        };
    }

    public Socket Socket { get; }

    /// <summary>Messages that were sent and have not come back.</summary>
    public int UnderWay { get; private set; }

    /// <summary>Connects and subscribes; the socket blocks until then.</summary>
    public void Open()
    {
        Connect();
        Ask(_dialect.Subscribe(_destination));
        Socket.Blocking = false;
    }

    /// <summary>Connects, without a subscription; the socket blocks.</summary>
    public void Connect()
    {
        try
        {
            Socket.Connect(_target.EndPoint);
        }
        catch (SocketException error)
        {
            throw Broken($"{error.SocketErrorCode}");
        }

        Upgrade();
        Ask(_dialect.Connect(_target));
    }

    /// <summary>Sends the next messages, each in a write of its own or all in one.</summary>
    public void Send(int count)
    {
        UnderWay += count;
        var atOnce = _shape.Writes == Writes.Single ? 1 : count;
        for (var sent = 0; sent < count; sent += atOnce)
            Write(_frames.Next(atOnce));
    }

    /// <summary>Sends as many messages as came back, now or, if that is the load, when all have come.</summary>
    public void SendAgain(int came)
    {
        if (_shape.Writes != Writes.Together)
            Send(came);
        else if (UnderWay == 0)
            Send(_shape.Depth);
    }

    /// <summary>Reads what is there. Returns the messages that came back.</summary>
    /// <param name="take">Called with the body of each; null: nothing is.</param>
    public int Receive(BodyTaker? take = null)
    {
        if (!TryFill())
            return 0;
        var count = 0;
        while (Read(out var body) is var heard and not Heard.Nothing)
        {
            if (heard != Heard.Message)
                continue;
            take?.Invoke(body);
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
        Write(_target.UpgradeRequest(key, _dialect.Path, _dialect.SubProtocol));
        int length;
        string? rejection;
        while (!UpgradeResponse.TryRead(_received.Raw, UpgradeKey.Accept(key), out length, out rejection, _dialect.SubProtocol))
            TryFill();
        if (rejection is not null)
            throw Broken(rejection);
        _received.SkipRaw(length);
    }

    private void Ask(byte[] question)
    {
        if (question.Length == 0)
            return;
        Write(question);
        Heard heard;
        while ((heard = Read(out _)) is not (Heard.Answer or Heard.Message))
        {
            if (heard == Heard.Nothing)
                TryFill();
        }
    }

    private Heard Read(out ReadOnlySpan<byte> body)
    {
        _received.Unframe();
        if (_received.Ping is { } ping)
        {
            _received.Ping = null;
            Write(ClientFrames.Write(Opcodes.Pong, ping, mask: 0));
        }

        try
        {
            var heard = _dialect.Read(_received.Payload, out var consumed, out body);
            _received.Consume(consumed);
            if (heard == Heard.Ping)
                Write(_dialect.Pong);
            return heard;
        }
        catch (InvalidDataException error)
        {
            throw Broken(error.Message);
        }
    }

    private void Write(ReadOnlySpan<byte> rest)
    {
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

    /// <summary>False: nothing is there now.</summary>
    private bool TryFill()
    {
        var count = Socket.Receive(_received.GetMemory().Span, SocketFlags.None, out var error);
        if (error == SocketError.WouldBlock && !Socket.Blocking)
            return false;
        if (error != SocketError.Success || count == 0)
            throw Broken(
                error switch
                {
                    SocketError.Success => "closed",
                    SocketError.TimedOut or SocketError.WouldBlock => $"no answer within {Socket.ReceiveTimeout} ms",
                    _ => error.ToString(),
                });
        _received.Received(count);
        return true;
    }

    private ChildException Broken(string what) => new(
        $"The server at {_target.Address} broke a connection of the load: {what}. Look at what it wrote to its log.");
}

/// <summary>Takes the body of a message, which is overwritten afterwards.</summary>
internal delegate void BodyTaker(ReadOnlySpan<byte> body);

/// <summary>What clients keep under way.</summary>
/// <param name="Connections">Each has a destination of its own.</param>
/// <param name="Depth">Messages that each keeps under way.</param>
/// <param name="BodyBytes">Bytes of a body.</param>
/// <param name="Dialect">Makes what one connection speaks.</param>
internal sealed record LoadShape(int Connections, int Depth, int BodyBytes, Func<IDialect> Dialect)
{
    public Writes Writes { get; init; } = Writes.AsCame;

    /// <summary>Of every message.</summary>
    public byte[] Body { get; init; } = [.. Enumerable.Repeat((byte)'x', BodyBytes)];
}

/// <summary>How a client under load sends its next messages.</summary>
internal enum Writes
{
    /// <summary>As many as came back, in one write.</summary>
    AsCame,

    /// <summary>As many as came back, each in a write of its own.</summary>
    Single,

    /// <summary>All that it keeps under way in one write, when the last of them has come back.</summary>
    Together,
}
