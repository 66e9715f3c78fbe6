using System.Net.Security;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load.Servers;

/// <summary>
/// Adds TLS to connections of this program: what comes to its port in the clear goes to a server by TLS. The saturating clients read and
/// write sockets; that way they are the same with TLS and without, and the server sees no difference to clients that speak TLS themselves.
/// </summary>
internal sealed class TlsTunnel : IAsyncDisposable
{
    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _stopping = new();
    private readonly int _port;
    private readonly string _thumbprint;
    private readonly Task _accepting;

    /// <param name="port">The server's, on 127.0.0.1.</param>
    /// <param name="thumbprint">Of the certificate that it must show.</param>
    public TlsTunnel(int port, string thumbprint)
    {
        _port = port;
        _thumbprint = thumbprint;
        _listener.Start(backlog: 1024);
        _accepting = AcceptAsync();
    }

    /// <summary>Where clients connect.</summary>
    public Uri Address => new($"http://{_listener.LocalEndpoint}");

    public async ValueTask DisposeAsync()
    {
        await _stopping.CancelAsync();
        try
        {
            await _accepting;
        }
        finally
        {
            _listener.Dispose();
            _stopping.Dispose();
        }
    }

    private async Task AcceptAsync()
    {
        List<Task> carried = [];
        try
        {
            while (true)
            {
                var client = await _listener.AcceptSocketAsync(_stopping.Token);
                carried.RemoveAll(one => one.IsCompletedSuccessfully);
                carried.Add(CarryAsync(client));
            }
        }
        catch (OperationCanceledException)
        {
            // The block is over.
        }

        await Task.WhenAll(carried);
    }

    // Until either end closes; what a client sees is that its connection is closed. Another certificate than that of the server is an
    // error, of which the end of the tunnel tells.
    private async Task CarryAsync(Socket client)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(_stopping.Token);
        using var one = client;
        try
        {
            client.NoDelay = true;
            await using var plain = new NetworkStream(client);
            using var server = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await server.ConnectAsync(IPAddress.Loopback, _port, end.Token);
            await using var secured = new SslStream(new NetworkStream(server));
            await secured.AuthenticateAsClientAsync(
                new SslClientAuthenticationOptions
                {
                    TargetHost = "127.0.0.1",
                    RemoteCertificateValidationCallback = (_, certificate, _, _) => certificate?.GetCertHashString() == _thumbprint,
                },
                end.Token);
            Task[] ways = [plain.CopyToAsync(secured, end.Token), secured.CopyToAsync(plain, end.Token)];
            await Task.WhenAny(ways);
            await end.CancelAsync();
            await Task.WhenAll(ways);
        }
        catch (Exception over) when (over is IOException or SocketException or OperationCanceledException or ObjectDisposedException)
        {
            // One end closed it, or the block is over.
        }
    }
}
