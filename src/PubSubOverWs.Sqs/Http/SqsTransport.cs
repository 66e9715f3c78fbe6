using System.Net;
using System.Net.Http.Headers;
using System.Net.Sockets;
using Amazon.Runtime;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>
/// Sends one call to the queue or the topic and reads its answer: signed again for each attempt, retried where that may help.
/// </summary>
internal sealed class SqsTransport : IDisposable
{
    private readonly SqsAddress _address;
    private readonly TimeProvider _time;
    private readonly QueueTraffic _traffic;
    private readonly RequestSigner _signer;
    private readonly MediaTypeHeaderValue _contentType;

    // Not HttpClient: it would buffer the answer once more, and its one time-out cannot know of long polls.
    private readonly HttpMessageInvoker _invoker;

    public SqsTransport(SqsAddress address, SqsOptions options, HttpMessageHandler? handler, TimeProvider time, QueueTraffic traffic)
    {
        _address = address;
        _time = time;
        _traffic = traffic;
        _signer = new RequestSigner(address);
        _contentType = new MediaTypeHeaderValue(address.Service.ContentType);
        _invoker = new HttpMessageInvoker(handler ?? SqsHandler.Create(address.Endpoint));
        Attempts = new Attempts(address, options, time, traffic);
    }

    public Attempts Attempts { get; }

    /// <summary>What <paramref name="read"/> makes of the body of the answer.</summary>
    /// <param name="operation">The operation to call.</param>
    /// <param name="body">The body of the request. Disposed here, except after a failure: a connection cut off might still be reading from
    /// it.</param>
    /// <param name="read">Must not keep what it reads from.</param>
    /// <param name="cancellationToken">Ends the call.</param>
    /// <inheritdoc cref="Attempts.RunAsync"/>
    public ValueTask<T> CallAsync<T>(
        SqsOperation operation, PooledBytes body, Func<ReadOnlyMemory<byte>, T> read, CancellationToken cancellationToken) =>
        CallAsync(operation, body, read, TimeSpan.Zero, cancellationToken, cancellationToken);

    /// <summary>As above, with a time for which the queue was asked to keep the call open.</summary>
    /// <inheritdoc cref="Attempts.RunAsync"/>
    public ValueTask<T> CallAsync<T>(
        SqsOperation operation, PooledBytes body, Func<ReadOnlyMemory<byte>, T> read, TimeSpan wait, CancellationToken betweenAttempts,
        CancellationToken inFlight)
    {
        var attempts = 0;
        return Attempts.RunAsync(operation, AttemptAsync, wait, betweenAttempts, inFlight);

        async Task<T> AttemptAsync(ImmutableCredentials credentials, CancellationToken cancellationToken)
        {
            attempts++;
            using var answer = await SendAsync(operation, body.Written, credentials, cancellationToken);
            if (attempts == 1)
                body.Dispose();
            return read(answer.Written);
        }
    }

    public void Dispose() => _invoker.Dispose();

    private async Task<PooledBytes> SendAsync(
        SqsOperation operation, ReadOnlyMemory<byte> body, ImmutableCredentials credentials, CancellationToken cancellationToken)
    {
        using var request = Compose(operation, body, credentials);
        _traffic.CountCall(operation.Kind, WireSize.Compute(request, _address.Endpoint, body.Length));
        using var response = await _invoker.SendAsync(request, cancellationToken);
        var answer = await ReadAsync(response, cancellationToken);
        return response.StatusCode == HttpStatusCode.OK
            ? answer
            : throw Attempts.Faults.Refused(operation, response.StatusCode, answer.Written, response.Headers.Date);
    }

    private HttpRequestMessage Compose(SqsOperation operation, ReadOnlyMemory<byte> body, ImmutableCredentials credentials)
    {
        var authorization = _signer.Sign(credentials, _time.GetUtcNow().UtcDateTime, operation.Target, body.Span, out var date);
        var request = new HttpRequestMessage(HttpMethod.Post, _address.Endpoint) { Content = new ReadOnlyMemoryContent(body) };
        request.Content.Headers.ContentType = _contentType;
        request.Headers.TryAddWithoutValidation("X-Amz-Date", date);
        if (_address.Service.HasTarget)
        {
            request.Headers.TryAddWithoutValidation("X-Amz-Target", operation.Target);
            request.Headers.TryAddWithoutValidation("x-amzn-query-mode", "true");
        }
        if (credentials.UseToken)
            request.Headers.TryAddWithoutValidation("X-Amz-Security-Token", credentials.Token);
        request.Headers.TryAddWithoutValidation("Authorization", authorization);
        return request;
    }

    private async ValueTask<PooledBytes> ReadAsync(HttpResponseMessage response, CancellationToken cancellationToken)
    {
        using var stream = await response.Content.ReadAsStreamAsync(cancellationToken);
        var answer = new PooledBytes((int)Math.Min(response.Content.Headers.ContentLength + 1 ?? 4096, 16 << 20));
        int read;
        while ((read = await stream.ReadAsync(answer.GetMemory(), cancellationToken)) > 0)
            answer.Advance(read);
        _traffic.CountAnswer(WireSize.Compute(response, answer.Written.Length));
        return answer;
    }
}

/// <summary>The connections to the queue, of both clients.</summary>
internal static class SqsHandler
{
    private static readonly IPAddress ClientLoopback = IPAddress.Parse("127.0.0.2");

    public static SocketsHttpHandler Create(Uri endpoint)
    {
        var handler = new SocketsHttpHandler
        {
            // Tracing would add headers that are not signed, and cost time.
            ActivityHeadersPropagator = null,
            AllowAutoRedirect = false,
            AutomaticDecompression = DecompressionMethods.None,
            UseCookies = false,
            ConnectTimeout = TimeSpan.FromSeconds(5),
            // AWS answers from changing addresses: look its name up again now and then.
            PooledConnectionLifetime = TimeSpan.FromMinutes(5),
        };
        if (endpoint.HostNameType == UriHostNameType.IPv4 && endpoint.IsLoopback)
        {
            handler.UseProxy = false;
            if (OperatingSystem.IsLinux() || OperatingSystem.IsWindows())
                handler.ConnectCallback = ConnectFromOtherAddressAsync;
        }
        return handler;
    }

    /// <summary>
    /// From 127.0.0.2: a retry against the port of a server that is down could otherwise be given that very port, and connect to itself
    /// (TCP simultaneous open).
    /// </summary>
    private static async ValueTask<Stream> ConnectFromOtherAddressAsync(
        SocketsHttpConnectionContext context, CancellationToken cancellationToken)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            socket.Bind(new IPEndPoint(ClientLoopback, 0));
            await socket.ConnectAsync(IPAddress.Parse(context.DnsEndPoint.Host), context.DnsEndPoint.Port, cancellationToken);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
