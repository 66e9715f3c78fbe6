using System.Net;
using System.Text.Json;

namespace PubSubOverWs.Sqs;

/// <summary>Turns what went wrong into an <see cref="SqsException"/>: the code to decide on, whether to try again, one sentence.</summary>
internal sealed class SqsFaults(AwsService service, Uri endpoint)
{
    private static readonly HashSet<string> Throttling =
    [
        SqsErrorCode.RequestThrottled, "Throttled", "Throttling", "ThrottlingException", "ThrottledException", "TooManyRequestsException", "RequestLimitExceeded",
        "SlowDown", "KmsThrottled",
    ];

    /// <summary>The answer was not 200.</summary>
    public SqsException Refused(SqsOperation operation, HttpStatusCode status, ReadOnlyMemory<byte> body)
    {
        var (code, said) = service.HasTarget ? Read(body) : AnswerXml.ReadError(body);
        return Refused(operation, status, code ?? status.ToString(), said, cause: null);
    }

    /// <summary>The same, when code and message have been read already.</summary>
    public SqsException Refused(SqsOperation operation, HttpStatusCode status, string code, string? said, Exception? cause)
    {
        var retryable = (int)status >= 500 || status == HttpStatusCode.TooManyRequests || Throttling.Contains(code);
        return new SqsException(code, $"{Sentence(operation, code, said)}{Advice(service, code)}", retryable, cause);
    }

    public SqsException TimedOut(SqsOperation operation, TimeSpan after, Exception cause) => new(
        SqsErrorCode.TimedOut, $"{service.Subject} at {endpoint} did not answer {operation.Name} within {after.TotalSeconds:0.#} s: see whether it is overloaded.",
        isRetryable: true, cause);

    public SqsException Unreachable(Exception cause) => new(
        SqsErrorCode.Unreachable, $"{service.Subject} at {endpoint} cannot be reached ({Reason(cause)}): start it, or name another in Sqs:Endpoint.",
        isRetryable: true, cause);

    public SqsException BadAnswer(SqsOperation operation, Exception cause) => new(
        SqsErrorCode.BadAnswer, $"The server at {endpoint} answered {operation.Name} with something that {service.Name} would not say: see what listens there.",
        isRetryable: false, cause);

    /// <summary>A body does not have the MD5 that the queue names, and the caller cannot tell which.</summary>
    public SqsException Corrupted(SqsOperation operation, Exception cause) => new(
        SqsErrorCode.Md5Mismatch, $"{service.Subject} at {endpoint} answered {operation.Name} with an MD5 that is not that of the body: see what changes it on the way.",
        isRetryable: false, cause);

    private string Sentence(SqsOperation operation, string code, string? said) =>
        $"{service.Subject} at {endpoint} refused {operation.Name} with {code}{(string.IsNullOrEmpty(said) ? "" : $" ({said.TrimEnd('.')})")}";

    private static string Advice(AwsService service, string code) => code switch
    {
        SnsErrorCode.NotFound when service == AwsService.Sns => ": create it, or see whether the region is right.",
        SqsErrorCode.QueueDoesNotExist => ": create it, or see whether the region is right.",
        SqsErrorCode.QueueNameExists => ": delete it or choose another name.",
        "AccessDenied" or "AccessDeniedException" => ": give the credentials leave for this operation on this queue.",
        SnsErrorCode.AuthorizationError => ": give the credentials leave for this operation on this topic.",
        "InvalidClientTokenId" or "UnrecognizedClientException" or "InvalidAccessKeyId" => ": see whether the access key is right.",
        "SignatureDoesNotMatch" or "InvalidSignatureException" => ": see whether the secret key, the region and this machine's clock are right.",
        "ExpiredToken" or "ExpiredTokenException" or "RequestExpired" => ": renew the session token.",
        _ => ".",
    };

    private static string Reason(Exception cause) => cause switch
    {
        HttpRequestException { HttpRequestError: HttpRequestError.NameResolutionError } => "its name is unknown",
        HttpRequestException { HttpRequestError: HttpRequestError.SecureConnectionError } => "no secure connection",
        HttpRequestException { InnerException: System.Net.Sockets.SocketException socket } => socket.SocketErrorCode.ToString(),
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
        catch (JsonException)
        {
            return default;
        }
    }

    private static string? Text(JsonElement answer, string name) =>
        answer.TryGetProperty(name, out var value) && value.ValueKind == JsonValueKind.String ? value.GetString() : null;
}
