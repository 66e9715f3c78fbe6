using System.Net;
using System.Net.Sockets;
using System.Text.Json;
using System.Xml;
using PubSubOverWs.Queues;

namespace PubSubOverWs.Sqs;

/// <summary>Turns failures into an <see cref="QueueException"/>: the code to decide on, whether to retry, one sentence.</summary>
internal sealed class SqsFaults(SqsAddress address, TimeProvider time)
{
    private static readonly HashSet<string> Throttling =
    [
        SqsErrorCode.RequestThrottled, "Throttled", "Throttling", "ThrottlingException", "ThrottledException", "TooManyRequestsException",
        "RequestLimitExceeded", "SlowDown", "KmsThrottled",
    ];

    /// <summary>Whether the queue throttles: it may blame the sender for it, and takes the same call later.</summary>
    public static bool IsThrottling(string code) => Throttling.Contains(code);

    /// <summary>The exceptions of reading an answer that is not one of SQS.</summary>
    public static bool IsUnreadable(Exception failure) =>
        failure is JsonException or XmlException or KeyNotFoundException or FormatException or InvalidOperationException
            or OverflowException or ArgumentOutOfRangeException or IndexOutOfRangeException;

    /// <summary>The answer was not 200.</summary>
    /// <param name="operation">The operation that was called.</param>
    /// <param name="status">Of the answer.</param>
    /// <param name="body">Of the answer.</param>
    /// <param name="date">The queue's clock; null: the answer does not say.</param>
    public QueueException Refused(SqsOperation operation, HttpStatusCode status, ReadOnlyMemory<byte> body, DateTimeOffset? date)
    {
        var (code, said) = address.Service.HasTarget ? Read(body) : AnswerXml.ReadError(body);
        if (string.IsNullOrEmpty(code))
            code = status.ToString();
        var isThrottled = status == HttpStatusCode.TooManyRequests || IsThrottling(code);
        var words = said?.Trim().TrimEnd('.');
        var sentence =
            $"{address.Service.Subject} at {address.Endpoint} refused {operation.Name} with {code}"
                + $"{(string.IsNullOrEmpty(words) ? "" : $" ({words})")}";
        var advice = isThrottled ? SqsAdvice.Throttled
            : (int)status >= 500 ? SqsAdvice.ItsOwnFault
            : SqsAdvice.On(code, words, ahead: time.GetUtcNow() - date);
        return new QueueException(code, $"{sentence}{(advice is null ? "" : $": {advice}")}.", (int)status >= 500 || isThrottled);
    }

    public QueueException TimedOut(SqsOperation operation, TimeSpan after, Exception cause) => new(
        SqsErrorCode.TimedOut,
        $"{address.Service.Subject} at {address.Endpoint} did not answer {operation.Name} within {after.TotalSeconds:0.#} s: check whether "
            + "it is overloaded.",
        isRetryable: true, cause);

    public QueueException Unreachable(Exception cause)
    {
        var isOut = cause is HttpRequestException { InnerException: SocketException { SocketErrorCode: SocketError.TooManyOpenSockets } };
        return new(
            isOut ? SqsErrorCode.OutOfDescriptors : SqsErrorCode.Unreachable,
            $"{address.Service.Subject} at {address.Endpoint} cannot be reached ({Reason(cause)}): "
                + $"{(isOut ? SqsAdvice.OutOfDescriptors : SqsAdvice.Unreachable(address))}.",
            isRetryable: true, cause);
    }

    public QueueException BadAnswer(SqsOperation operation, Exception cause) => new(
        SqsErrorCode.BadAnswer,
        $"The server at {address.Endpoint} answered {operation.Name} with something that is no answer of {address.Service.Name}: check "
            + "what listens there.",
        isRetryable: false, cause)
    {
        MayHaveArrived = true,
    };

    private static string Reason(Exception cause) => cause switch
    {
        HttpRequestException { HttpRequestError: HttpRequestError.NameResolutionError } => "its name is unknown",
        HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } => "no secure connection",
        HttpRequestException { InnerException: SocketException socket } => socket.SocketErrorCode.ToString(),
        OperationCanceledException or TimeoutException => "no connection in time",
        _ => "the connection broke",
    };

    /// <summary><c>{"__type":"com.amazonaws.sqs#QueueDoesNotExist","message":"..."}</c>; a proxy may say anything.</summary>
    private static (string? Code, string? Message) Read(ReadOnlyMemory<byte> body)
    {
        try
        {
            using var answer = JsonDocument.Parse(body);
            if (answer.RootElement.ValueKind != JsonValueKind.Object)
                return default;
            var type = Text(answer.RootElement, "__type");
            return (type?[(type.LastIndexOf('#') + 1)..], Text(answer.RootElement, "message") ?? Text(answer.RootElement, "Message"));
        }
        catch (Exception unreadable) when (unreadable is JsonException or InvalidOperationException)
        {
            // The second: a text that is not valid UTF-16.
            return default;
        }
    }

    private static string? Text(JsonElement answer, string name) =>
        answer.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
}
