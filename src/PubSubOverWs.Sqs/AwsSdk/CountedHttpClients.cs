using System.Net;
using System.Text.Json;
using Amazon.Runtime;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>Has the SDK connect as <see cref="SqsOverHttp"/> does, through a handler that counts.</summary>
internal sealed class CountedHttpClients(HttpMessageHandler handler, Uri endpoint, SqsFaults faults, QueueTraffic traffic)
    : HttpClientFactory, IDisposable
{
    // The client's own time-out would cut off long polls: each attempt has a token with its own time-out.
    private readonly HttpClient _client =
        new(new CountingHandler(handler, endpoint, faults, traffic)) { Timeout = Timeout.InfiniteTimeSpan };

    public override HttpClient CreateHttpClient(IClientConfig clientConfig) => _client;

    public override bool UseSDKHttpClientCaching(IClientConfig clientConfig) => false;

    public override bool DisposeHttpClientsAfterUse(IClientConfig clientConfig) => false;

    public void Dispose() => _client.Dispose();
}

/// <summary>Counts each attempt of the SDK and its answer, and passes on only answers that the SDK can read.</summary>
internal sealed class CountingHandler(HttpMessageHandler inner, Uri endpoint, SqsFaults faults, QueueTraffic traffic)
    : DelegatingHandler(inner)
{
    /// <exception cref="QueueException">The answer is a refusal. It passes through the SDK unchanged.</exception>
    /// <exception cref="JsonException">The answer does not have the shape that the SDK expects.</exception>
    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var target = request.Headers.NonValidated.TryGetValues("X-Amz-Target", out var values) ? values.ToString() : "";
        var operation = SqsOperation.FromTarget(target);
        traffic.CountCall(operation.Kind, WireSize.Compute(request, endpoint, (int)(request.Content?.Headers.ContentLength ?? 0)));
        var response = await base.SendAsync(request, cancellationToken);
        try
        {
            await response.Content.LoadIntoBufferAsync(cancellationToken);
            var body = (MemoryStream)await response.Content.ReadAsStreamAsync(cancellationToken);
            traffic.CountAnswer(WireSize.Compute(response, (int)body.Length));
            if (response.StatusCode != HttpStatusCode.OK)
                throw faults.Refused(operation, response.StatusCode, body.ToArray(), response.Headers.Date);
            if (body.Length > 0)
                AnswerShape.Check(body.TryGetBuffer(out var buffer) ? buffer : body.ToArray());
            return response;
        }
        catch
        {
            response.Dispose();
            throw;
        }
    }
}

/// <summary>
/// Checks that an answer has the shape that the SDK expects. On a number in place of a list or a map its reader (AWSSDK.Core 4.0.102)
/// loops for ever and takes all memory; it reports any other error by itself.
/// </summary>
internal static class AnswerShape
{
    /// <exception cref="JsonException">The SDK must not read it.</exception>
    public static void Check(ReadOnlySpan<byte> json)
    {
        var reader = new Utf8JsonReader(json);
        reader.ReadObject();
        CheckMembers(ref reader);
    }

    private static void CheckMembers(ref Utf8JsonReader reader)
    {
        while (reader.ReadProperty())
        {
            if (reader.ValueTextEquals("Messages"u8) || reader.ValueTextEquals("Successful"u8) || reader.ValueTextEquals("Failed"u8))
                CheckObjects(ref reader);
            else if (reader.ValueTextEquals("Attributes"u8) || reader.ValueTextEquals("MessageAttributes"u8))
                CheckContainer(ref reader, JsonTokenType.StartObject);
            else if (reader.ValueTextEquals("QueueUrls"u8))
                CheckContainer(ref reader, JsonTokenType.StartArray);
            else
                reader.SkipValue();
        }
    }

    private static void CheckObjects(ref Utf8JsonReader reader)
    {
        if (!reader.ReadArray())
            return;
        while (reader.ReadElement())
            CheckMembers(ref reader);
    }

    private static void CheckContainer(ref Utf8JsonReader reader, JsonTokenType start)
    {
        reader.Read();
        if (reader.TokenType != start && reader.TokenType != JsonTokenType.Null)
            throw new JsonException("A list or a map was expected.");
        reader.Skip();
    }
}
