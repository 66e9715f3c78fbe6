using System.Net;
using System.Net.Sockets;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Interference.Load;

namespace PubSubOverWs.EndToEndTests.Load;

/// <summary>The writer of a connection whose client does not read for a while.</summary>
public sealed class FrameWriterTests : IDisposable
{
    // More than the system takes on a connection of this machine.
    private const int LargeBytes = 64 << 20;

    private readonly Socket _server;
    private readonly Socket _client = new(SocketType.Stream, ProtocolType.Tcp) { ReceiveBufferSize = 1 << 16 };
    private readonly FrameWriter _writer;

    public FrameWriterTests()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        _client.Connect(listener.LocalEndpoint);
        _server = listener.AcceptSocket();
        _writer = new FrameWriter(_server);
    }

    [Fact]
    public async Task A_reply_waits_for_the_frame_that_is_being_written_and_goes_before_the_next_one()
    {
        var written = Task.Factory.StartNew(
            () => _writer.Write(Filled('1')) && _writer.Write("next"u8), CancellationToken.None, TaskCreationOptions.LongRunning,
            TaskScheduler.Default);
        await FullAsync();

        _writer.Reply("first"u8.ToArray());
        _writer.Reply("second"u8.ToArray());

        Assert.False(written.IsCompleted);
        Assert.Equal("firstsecondnext", await ReadBehindAsync('1', LargeBytes));
        Assert.True(await written);
    }

    [Fact]
    public async Task A_reply_that_finds_the_socket_full_is_written_as_soon_as_the_client_reads()
    {
        var filled = await FillAsync();
        var replied = Task.Factory.StartNew(
            () => _writer.Reply("next"u8.ToArray()), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);

        Assert.Equal("next", await ReadBehindAsync('0', filled));
        await replied;
    }

    [Fact]
    public async Task Nobody_waits_for_a_connection_that_has_ended()
    {
        var written = Task.Factory.StartNew(
            () => _writer.Write(Filled('1')), CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        await FullAsync();

        _writer.End();

        Assert.False(await written);
        Assert.True(_writer.HasEnded);
        Assert.False(_writer.Write("next"u8));
    }

    public void Dispose()
    {
        _client.Dispose();
        _server.Dispose();
    }

    private static byte[] Filled(char filling)
    {
        var frame = new byte[LargeBytes];
        frame.AsSpan().Fill((byte)filling);
        return frame;
    }

    // The writer is then within its frame.
    private Task FullAsync() => Waiting.UntilAsync(() => _client.Available > 0 && !_server.Poll(0, SelectMode.SelectWrite));

    // With the bytes of another writer that then writes no more.
    private async Task<int> FillAsync()
    {
        var zeros = new byte[1 << 16];
        zeros.AsSpan().Fill((byte)'0');
        _server.Blocking = false;
        var filled = 0;
        // A receiver moves what has come a little later, and makes room.
        await Waiting.UntilAsync(() =>
        {
            var count = _server.Send(zeros, SocketFlags.None, out var error);
            filled += error == SocketError.Success ? count : 0;
            return error == SocketError.WouldBlock && !_server.Poll(0, SelectMode.SelectWrite);
        });
        _server.Blocking = true;
        return filled;
    }

    private async Task<string> ReadBehindAsync(char filling, int bytes)
    {
        var buffer = new byte[1 << 20];
        for (var left = bytes; left > 0;)
        {
            var count = await _client.ReceiveAsync(buffer.AsMemory(0, Math.Min(left, buffer.Length)));
            Assert.True(count > 0 && !buffer.AsSpan(0, count).ContainsAnyExcept((byte)filling));
            left -= count;
        }

        var rest = new StringBuilder();
        while (!rest.ToString().EndsWith("next", StringComparison.Ordinal) && await _client.ReceiveAsync(buffer) is > 0 and var more)
            rest.Append(Encoding.ASCII.GetString(buffer, 0, more));
        return rest.ToString();
    }
}
