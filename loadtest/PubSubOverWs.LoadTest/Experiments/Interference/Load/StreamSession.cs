using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Machine;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>One client of the stream server: each text message that it sends comes back, and beside replies it gets the stream.</summary>
public sealed class StreamSession
{
    private static readonly TimeSpan CloseTimeout = TimeSpan.FromSeconds(5);

    private readonly StreamSettings _settings;
    private readonly FrameWriter _writer;
    private readonly TimeProvider _time;

    /// <param name="socket">That of the upgraded connection.</param>
    public StreamSession(StreamSettings settings, Socket socket, TimeProvider time)
    {
        _settings = settings;
        _writer = new FrameWriter(socket);
        _time = time;
        // What the system has not sent yet goes before any reply: no more than a chunk.
        if (settings.ChunkBytes > 0)
            UnsentLimit.Set(socket, settings.ChunkBytes);
    }

    /// <summary>Serves until the client leaves.</summary>
    /// <param name="reading">Ends when the client has sent its last; false: the connection is of no more use.</param>
    /// <param name="stopping">The server stops.</param>
    public async Task RunAsync(Task<bool> reading, CancellationToken stopping)
    {
        using var left = CancellationTokenSource.CreateLinkedTokenSource(stopping);
        var streaming = Task.Factory.StartNew(
            () => StreamUntil(left.Token), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        try
        {
            if (!await reading.WaitAsync(stopping))
                _writer.End();
        }
        catch (OperationCanceledException)
        {
            _writer.End(); // The server stops.
        }

        await left.CancelAsync();
        try
        {
            await streaming.WaitAsync(CloseTimeout, _time, CancellationToken.None);
        }
        catch (TimeoutException)
        {
            _writer.End(); // It does not read.
            await streaming;
        }
    }

    /// <summary>Takes what has come: false when the client closes.</summary>
    public bool Take(Span<byte> received, out int consumed)
    {
        consumed = 0;
        while (ServerFrames.TryRead(received[consumed..], out var opcode, out var payload, out var length))
        {
            consumed += length;
            if (opcode == Opcodes.Close)
                return false;
            if (opcode is Opcodes.Text or Opcodes.Ping)
                _writer.Reply(ServerFrames.Write(opcode == Opcodes.Text ? Opcodes.Text : Opcodes.Pong, payload));
        }
        return true;
    }

    // A message is due each period, however long the last one took: a server that waits between messages falls behind its rate.
    private void StreamUntil(CancellationToken left)
    {
        var frames = _settings.Frames();
        var start = Stopwatch.GetTimestamp();
        var wait = new ExactWait(TimeSpan.Zero);
        for (var next = 1L; !_settings.Dummies.IsIdle && !_writer.HasEnded; next++)
        {
            wait.Until(start + Ticks(next * (double)_settings.Dummies.PeriodUs), left);
            if (left.IsCancellationRequested)
                break;
            WriteMessage(frames);
        }

        // From this thread, which may wait: the client may still have to read what was streamed before.
        left.WaitHandle.WaitOne();
        if (!_writer.HasEnded)
            _writer.Write(ServerFrames.Write(Opcodes.Close, ClientFrames.NormalClosure));
    }

    private void WriteMessage(IReadOnlyList<ReadOnlyMemory<byte>> frames)
    {
        for (var i = 0; _writer.Write(frames[i].Span) && ++i < frames.Count;)
            Thread.Yield(); // On one core the thread that reads requests would come in only after the last chunk.
    }

    private static long Ticks(double microseconds) => (long)(microseconds * Stopwatch.Frequency / 1_000_000);
}

/// <summary>How many bytes that were not sent yet the system takes from a program: fewer than its send buffer has room for.</summary>
internal static class UnsentLimit
{
    // TCP_NOTSENT_LOWAT, for which .NET has no name.
    private const int Linux = 25;
    private const int MacOs = 0x201;

    /// <summary>Elsewhere than on Linux and macOS it does nothing.</summary>
    public static void Set(Socket socket, int bytes)
    {
        if (OperatingSystem.IsLinux() || OperatingSystem.IsMacOS())
            socket.SetRawSocketOption(
                (int)SocketOptionLevel.Tcp, OperatingSystem.IsLinux() ? Linux : MacOs, BitConverter.GetBytes(bytes));
    }
}
