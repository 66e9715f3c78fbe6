using System.Net;
using System.Net.Sockets;
using PubSubOverWs.LoadTest.Targets.Feed;

namespace PubSubOverWs.LoadTest.Workloads.Transports;

/// <summary>How clients of one arm reach the server: where, and by which version of HTTP.</summary>
/// <param name="server">The server, or a proxy before it.</param>
/// <param name="isHttp2">In the clear and without a negotiation, at a port of its own, which the server is asked for once.</param>
public sealed class FeedRoute(Uri server, bool isHttp2)
{
    private readonly Lazy<Task<Uri>> _address = new(() => isHttp2 ? AskAsync(server) : Task.FromResult(server));

    public Version Version => isHttp2 ? HttpVersion.Version20 : HttpVersion.Version11;

    /// <exception cref="HttpRequestException">The server could not be asked.</exception>
    public Task<Uri> AddressAsync() => _address.Value;

    private static async Task<Uri> AskAsync(Uri server)
    {
        using var http = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { BaseAddress = server };
        return new Uri(await http.GetStringAsync(new Uri(FeedServer.Http2Path, UriKind.Relative)));
    }
}

/// <summary>The bytes of one connection. Thread-safe.</summary>
public sealed class ByteCount
{
    private long _sent;
    private long _received;

    public long Sent => Interlocked.Read(ref _sent);

    public long Received => Interlocked.Read(ref _received);

    /// <summary>A connection that counts its bytes.</summary>
    public async ValueTask<Stream> ConnectAsync(SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(context.DnsEndPoint, cancellationToken);
            return new Counted(socket, this);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    private sealed class Counted(Socket socket, ByteCount count) : NetworkStream(socket, ownsSocket: true)
    {
        public override async ValueTask<int> ReadAsync(Memory<byte> buffer, CancellationToken cancellationToken = default)
        {
            var received = await base.ReadAsync(buffer, cancellationToken);
            Interlocked.Add(ref count._received, received);
            return received;
        }

        public override ValueTask WriteAsync(ReadOnlyMemory<byte> buffer, CancellationToken cancellationToken = default)
        {
            Interlocked.Add(ref count._sent, buffer.Length);
            return base.WriteAsync(buffer, cancellationToken);
        }
    }
}
