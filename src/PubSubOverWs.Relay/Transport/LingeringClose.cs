using System.IO.Pipelines;
using System.Net.Sockets;
using Microsoft.AspNetCore.Connections;
using Microsoft.AspNetCore.Connections.Features;

namespace PubSubOverWs.Relay;

/// <summary>
/// The end of a connection that leaves the client what was written last: writing ends, then what still comes is read and dropped until the
/// client ends, too. A socket that is closed while bytes come resets the connection, and the client loses what it has not read yet
/// (RFC 9112, 9.6; docs/decisions/0190).
/// </summary>
/// <param name="max">Then the client is cut.</param>
internal sealed class LingeringClose(TimeSpan max, TimeProvider time)
{
    /// <summary>
    /// Bytes that may still come from a client that has stopped: the largest buffers that Linux gives both ends by itself (tcp_wmem and
    /// tcp_rmem, 4 and 6 MiB), and those of the client.
    /// </summary>
    public const long MaxDropped = 16 << 20;

    /// <summary>Bytes after which other connections get their turn.</summary>
    public const int DroppedInATurn = 64 * 1024;

    // As Kestrel waits for those that it has cut: clients that keep an idle connection for later do not hold up a server that stops.
    private static readonly TimeSpan MaxAtStop = TimeSpan.FromSeconds(1);

    private static readonly TimeSpan ShortestPause = TimeSpan.FromMilliseconds(5);
    private static readonly TimeSpan LongestPause = TimeSpan.FromMilliseconds(160);

    /// <summary>Completes when the client has ended, or was cut.</summary>
    /// <param name="connection">Cut if need be; closed by its owner, afterwards.</param>
    /// <param name="written">
    /// Bytes since the connection began, which may still wait for the socket: writing ends when the client's system has them.
    /// </param>
    public async Task RunAsync(ConnectionContext connection, Socket socket, PipeReader input, long written = 0)
    {
        var stopping = connection.Features.Get<IConnectionLifetimeNotificationFeature>()?.ConnectionClosedRequested;
        var isAtStop = stopping is { IsCancellationRequested: true };
        using var patience = new CancellationTokenSource(isAtStop && MaxAtStop < max ? MaxAtStop : max, time);
        await using var cut = patience.Token.UnsafeRegister(late => ((ConnectionContext)late!).Abort(), connection);
        using var over = new CancellationTokenSource();
        var ending = EndWritingAsync(socket, written, over.Token);
        try
        {
            if (!await DropAsync(input))
                connection.Abort();
        }
        catch (Exception gone) when (gone is IOException or SocketException or ConnectionAbortedException)
        {
            // There is nobody to wait for.
        }
        finally
        {
            await over.CancelAsync();
            await ending;
        }
    }

    private async Task EndWritingAsync(Socket socket, long written, CancellationToken over)
    {
        try
        {
            for (var pause = ShortestPause; Acknowledged.GetBytes(socket) < written; pause = pause < LongestPause ? 2 * pause : pause)
                await Task.Delay(pause, time, over);
            socket.Shutdown(SocketShutdown.Send);
        }
        catch (Exception late) when (late is SocketException or ObjectDisposedException or OperationCanceledException)
        {
            // The client was faster, or the connection was cut.
        }
    }

    // False: the client goes on and on.
    private static async Task<bool> DropAsync(PipeReader input)
    {
        for (var (dropped, turn) = (0L, 0L); dropped < MaxDropped; dropped += turn)
        {
            for (turn = 0; turn < DroppedInATurn;)
            {
                var read = await input.ReadAsync(CancellationToken.None);
                turn += read.Buffer.Length;
                input.AdvanceTo(read.Buffer.End);
                if (read.IsCompleted)
                    return true;
            }
            await Task.Yield();
        }
        return false;
    }
}
