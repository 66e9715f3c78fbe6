using System.Net;
using System.Text.Json;
using System.Xml.Linq;

namespace PubSubOverWs.SqsContract;

/// <summary>The answer of an endpoint.</summary>
/// <param name="Status">200, or that of an error.</param>
/// <param name="Text">JSON of SQS or XML of SNS, if it is valid.</param>
/// <param name="QueryError">The header <c>x-amzn-query-error</c>, such as <c>AWS.SimpleQueueService.NonExistentQueue;Sender</c>; null:
/// there was none.</param>
public sealed record RawAnswer(HttpStatusCode Status, string Text, string? QueryError)
{
    /// <summary>The answer to a call that was taken.</summary>
    public JsonElement Json
    {
        get
        {
            ShouldBeTaken();
            return Parse();
        }
    }

    /// <summary>Of an error of SQS, such as <c>com.amazonaws.sqs#QueueDoesNotExist</c>; null: it has none.</summary>
    public string? Type =>
        Text.StartsWith('{') && Parse().TryGetProperty("__type", out var type) && type.ValueKind == JsonValueKind.String
            ? type.GetString()
            : null;

    private string? XmlCode => Text.StartsWith('<')
        ? XElement.Parse(Text).Descendants().FirstOrDefault(element => element.Name.LocalName == "Code")?.Value
        : null;

    public static async Task<RawAnswer> OfAsync(HttpResponseMessage response, CancellationToken cancellationToken) => new(
        response.StatusCode,
        await response.Content.ReadAsStringAsync(cancellationToken),
        response.Headers.TryGetValues("x-amzn-query-error", out var values) ? string.Join(",", values) : null);

    public void ShouldBeTaken() => Assert.True(Status == HttpStatusCode.OK, $"Refused with {(int)Status}: {Text}");

    /// <summary>
    /// It is an error caused by the caller, with one of these codes in <c>__type</c>, in the header or, for SNS, in <c>Code</c>.
    /// </summary>
    public void ShouldBeRefusedWith(params string[] codes)
    {
        Assert.InRange((int)Status, 400, 499);
        Assert.True(
            codes.Any(code => ErrorCode.Is(code, Type) || ErrorCode.Is(code, QueryError) || ErrorCode.Is(code, XmlCode)),
            $"Expected {string.Join(" or ", codes)}, but the answer was {(int)Status} {QueryError} {Text}");
    }

    private JsonElement Parse()
    {
        using var document = JsonDocument.Parse(Text.Length == 0 ? "{}" : Text);
        return document.RootElement.Clone();
    }
}
