using System.Buffers;
using System.Collections.Frozen;
using System.Text.Json;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>AWS JSON 1.0: one URL, the operation in <c>X-Amz-Target</c>, JSON both ways, errors as 4xx with <c>__type</c>.</summary>
internal sealed class SqsProtocol(QueueStore store, SignatureCheck signatures, AnswerDelay delay)
{
    private const string ContentType = "application/x-amz-json-1.0";
    private const string Service = "sqs";

    // No web page runs the answers, so only what JSON requires is escaped.
    private static readonly JsonWriterOptions Json = new()
    {
        Encoder = System.Text.Encodings.Web.JavaScriptEncoder.UnsafeRelaxedJsonEscaping,
        SkipValidation = true,
    };

    private static readonly FrozenDictionary<string, Func<SqsCall, ValueTask>> Operations = new Dictionary<string, Func<SqsCall, ValueTask>>
    {
        ["AmazonSQS.SendMessageBatch"] = Now(SendOperations.SendMessageBatch),
        ["AmazonSQS.SendMessage"] = Now(SendOperations.SendMessage),
        ["AmazonSQS.ReceiveMessage"] = ReceiveOperation.ReceiveMessageAsync,
        ["AmazonSQS.DeleteMessageBatch"] = Now(ReceiptOperations.DeleteMessageBatch),
        ["AmazonSQS.DeleteMessage"] = Now(ReceiptOperations.DeleteMessage),
        ["AmazonSQS.ChangeMessageVisibilityBatch"] = Now(ReceiptOperations.ChangeMessageVisibilityBatch),
        ["AmazonSQS.ChangeMessageVisibility"] = Now(ReceiptOperations.ChangeMessageVisibility),
        ["AmazonSQS.CreateQueue"] = Now(QueueOperations.CreateQueue),
        ["AmazonSQS.GetQueueUrl"] = Now(QueueOperations.GetQueueUrl),
        ["AmazonSQS.ListQueues"] = Now(QueueOperations.ListQueues),
        ["AmazonSQS.GetQueueAttributes"] = Now(QueueOperations.GetQueueAttributes),
        ["AmazonSQS.SetQueueAttributes"] = Now(QueueOperations.SetQueueAttributes),
        ["AmazonSQS.PurgeQueue"] = Now(QueueOperations.PurgeQueue),
        ["AmazonSQS.DeleteQueue"] = Now(QueueOperations.DeleteQueue),
    }.ToFrozenDictionary();

    public async Task HandleAsync(HttpContext http)
    {
        using var request = new PooledBytes(4096);
        using var answer = new PooledBytes(4096);
        await using var json = new Utf8JsonWriter(answer, Json);
        var call = new SqsCall(store, request, json, http.Request.Host.Value ?? "", new Caller(http));
        json.WriteStartObject();
        try
        {
            var operation = Find(http.Request);
            var signed = signatures.Read(http.Request);
            await RequestBody.ReadAsync(http.Request, request, http.RequestAborted);
            signatures.Check(http.Request, request.Written.Span, signed, Service);
            await operation(call);
        }
        catch (SqsErrorException refused)
        {
            WriteError(http.Response, json, answer, refused.Error, refused.Message);
        }
        catch (Exception malformed) when (malformed is JsonException or InvalidOperationException)
        {
            WriteError(http.Response, json, answer, SqsError.Serialization,
                $"The request is not what {http.Request.Headers["X-Amz-Target"]} takes: {malformed.Message}");
        }
        json.WriteEndObject();
        json.Flush();
        // A caller that leaves meanwhile is noticed below.
        if (delay.IsOn)
            await delay.WaitAsync(http.RequestAborted).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        await SendAsync(http, answer.Written, call);
    }

    private static Func<SqsCall, ValueTask> Now(Action<SqsCall> operation) => call =>
    {
        operation(call);
        return ValueTask.CompletedTask;
    };

    private static Func<SqsCall, ValueTask> Find(HttpRequest request)
    {
        var target = request.Headers["X-Amz-Target"].ToString();
        return Operations.TryGetValue(target, out var operation)
            ? operation
            : throw new SqsErrorException(
                SqsError.UnknownOperation,
                target.Length == 0
                    ? "LocalSqs speaks AWS JSON 1.0: it expects the operation in the header X-Amz-Target, as in AmazonSQS.SendMessage."
                    : $"LocalSqs does not have the operation {target}.");
    }

    private static void WriteError(HttpResponse response, Utf8JsonWriter json, PooledBytes answer, SqsError error, string message)
    {
        json.Reset();
        answer.Clear();
        response.StatusCode = error.Status;
        response.Headers["x-amzn-query-error"] =
            $"{error.QueryCode};{(error.Status < StatusCodes.Status500InternalServerError ? "Sender" : "Receiver")}";
        json.WriteStartObject();
        json.WriteString("__type"u8, "com.amazonaws.sqs#" + error.Code);
        json.WriteString("message"u8, message);
    }

    private static async Task SendAsync(HttpContext http, ReadOnlyMemory<byte> answer, SqsCall call)
    {
        if (call.Taken is null ? http.RequestAborted.IsCancellationRequested : call.Caller.IsGone)
        {
            GiveBack(call);
            http.Abort();
            return;
        }
        http.Response.ContentType = ContentType;
        http.Response.ContentLength = answer.Length;
        http.Response.Headers["x-amzn-RequestId"] = http.TraceIdentifier;
        try
        {
            // No token: the result says whether the caller was still there.
            var writing = http.Response.BodyWriter.WriteAsync(answer, CancellationToken.None);
            var hasToWait = !writing.IsCompleted;
            var sent = await writing;
            // Kestrel does not report how a write ended that had to wait for the caller; an empty flush does.
            if (hasToWait)
                sent = await http.Response.BodyWriter.FlushAsync(CancellationToken.None);
            if (sent.IsCompleted || sent.IsCanceled)
                GiveBack(call);
        }
        catch (Exception gone) when (gone is IOException or OperationCanceledException)
        {
            GiveBack(call);
        }
    }

    private static void GiveBack(SqsCall call)
    {
        if (call.Taken is { } taken)
            taken.Queue.GiveBack(taken.Handouts);
    }
}

/// <summary>The whole body of a request, since the signature covers all its bytes.</summary>
internal static class RequestBody
{
    /// <summary>Reads it into a buffer that grows as bytes come, not as they are announced.</summary>
    /// <exception cref="SqsErrorException">Longer than <see cref="LocalSqsOptions.MaxRequestBytes"/>, or announced as longer.</exception>
    public static async ValueTask ReadAsync(HttpRequest request, IBufferWriter<byte> into, CancellationToken cancellationToken)
    {
        if (request.ContentLength > LocalSqsOptions.MaxRequestBytes)
            throw TooLong();
        var length = 0L;
        while (true)
        {
            var read = await request.BodyReader.ReadAsync(cancellationToken);
            length += read.Buffer.Length;
            if (length > LocalSqsOptions.MaxRequestBytes)
                throw TooLong();
            foreach (var segment in read.Buffer)
                into.Write(segment.Span);
            request.BodyReader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
                return;
        }
    }

    private static SqsErrorException TooLong() =>
        new(SqsError.RequestTooLong, $"The request is longer than {LocalSqsOptions.MaxRequestBytes} bytes.");
}
