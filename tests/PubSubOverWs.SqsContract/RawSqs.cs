using System.Net.Http.Headers;
using System.Text;
using System.Text.Encodings.Web;
using System.Text.Json;

namespace PubSubOverWs.SqsContract;

/// <summary>Calls in AWS JSON 1.0 written by hand, also malformed, unsigned or wrongly signed ones, with raw answers.</summary>
public sealed class RawSqs(ContractEndpoint endpoint) : IDisposable
{
    private static readonly JsonSerializerOptions Plain = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = !endpoint.Address.IsLoopback, AllowAutoRedirect = false });

    public ContractEndpoint Endpoint => endpoint;

    /// <summary>A correctly signed call.</summary>
    /// <param name="operation">Such as <c>SendMessage</c>.</param>
    /// <param name="parameters">An object whose properties are the parameters.</param>
    /// <param name="cancellationToken">Cuts the connection.</param>
    public Task<RawAnswer> CallAsync(string operation, object parameters, CancellationToken cancellationToken = default) =>
        CallAsync(operation, JsonSerializer.Serialize(parameters, Plain), cancellationToken);

    /// <summary>As above, with the exact body of the request.</summary>
    public async Task<RawAnswer> CallAsync(string operation, string json, CancellationToken cancellationToken = default)
    {
        using var request = Compose(operation, json);
        endpoint.Sign(request, json);
        return await SendAsync(request, cancellationToken);
    }

    /// <summary>Changes attributes of a queue, as strings. The project's clients do not make this call.</summary>
    public Task<RawAnswer> SetAttributesAsync(string queueUrl, object attributes) =>
        CallAsync("SetQueueAttributes", new { QueueUrl = queueUrl, Attributes = attributes });

    /// <summary>Deletes all messages of a queue. The project's clients do not make this call.</summary>
    public Task<RawAnswer> PurgeAsync(string queueUrl) => CallAsync("PurgeQueue", new { QueueUrl = queueUrl });

    /// <summary>A call without a signature, to be signed or sent as it is.</summary>
    public HttpRequestMessage Compose(string operation, string json)
    {
        var request = new HttpRequestMessage(HttpMethod.Post, endpoint.Address)
        { Content = new ByteArrayContent(Encoding.UTF8.GetBytes(json)) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/x-amz-json-1.0");
        request.Headers.Add("X-Amz-Target", $"AmazonSQS.{operation}");
        // Asks SQS for the older code of an error beside the new one.
        request.Headers.Add("x-amzn-query-mode", "true");
        return request;
    }

    public async Task<RawAnswer> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken = default)
    {
        using var response = await _http.SendAsync(request, cancellationToken);
        return await RawAnswer.OfAsync(response, cancellationToken);
    }

    public void Dispose() => _http.Dispose();
}

/// <summary>Calls in the Query protocol written by hand, beside <see cref="RawSqs"/>.</summary>
public sealed class RawSns(ContractEndpoint endpoint) : IDisposable
{
    private readonly HttpClient _http = new(new SocketsHttpHandler { UseProxy = !endpoint.Address.IsLoopback, AllowAutoRedirect = false });

    /// <summary>A correctly signed call.</summary>
    /// <param name="action">Such as <c>Publish</c>.</param>
    /// <param name="parameters">Names that need no escapes, and any values.</param>
    public Task<RawAnswer> CallAsync(string action, params (string Name, string Value)[] parameters) =>
        CallAsync(endpoint, "sns", action, parameters);

    /// <summary>The same call, signed by another key or for another service; null: not signed.</summary>
    public async Task<RawAnswer> CallAsync(
        ContractEndpoint? signer, string service, string action, params (string Name, string Value)[] parameters)
    {
        var form = $"Action={action}&Version=2010-03-31"
            + string.Concat(parameters.Select(parameter => $"&{parameter.Name}={Uri.EscapeDataString(parameter.Value)}"));
        using var request = new HttpRequestMessage(HttpMethod.Post, endpoint.TopicAddress)
        { Content = new ByteArrayContent(Encoding.ASCII.GetBytes(form)) };
        request.Content.Headers.ContentType = new MediaTypeHeaderValue("application/x-www-form-urlencoded");
        if (signer is not null)
            signer.Sign(request, form, service);
        using var response = await _http.SendAsync(request);
        return await RawAnswer.OfAsync(response, CancellationToken.None);
    }

    public void Dispose() => _http.Dispose();
}
