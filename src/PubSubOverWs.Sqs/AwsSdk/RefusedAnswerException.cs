using System.Net;

namespace PubSubOverWs.Sqs;

/// <summary>The answer was not 200. Passes through the SDK unchanged.</summary>
/// <param name="status">Of the answer.</param>
/// <param name="body">Of the answer.</param>
/// <param name="date">The queue's clock; null: the answer does not say.</param>
internal sealed class RefusedAnswerException(HttpStatusCode status, ReadOnlyMemory<byte> body, DateTimeOffset? date) : Exception
{
    public HttpStatusCode Status { get; } = status;

    public ReadOnlyMemory<byte> Body { get; } = body;

    public DateTimeOffset? Date { get; } = date;
}
