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

/// <summary>
/// An error of SQS has several spellings: <c>com.amazonaws.sqs#QueueDoesNotExist</c>,
/// <c>AWS.SimpleQueueService.NonExistentQueue;Sender</c>,
/// <c>com.amazon.coral.service#InvalidParameterValueException</c>.
/// </summary>
internal static class ErrorCode
{
    /// <param name="code">The spelling of the API reference of SQS.</param>
    /// <param name="spelling">The endpoint's spelling; null: there is none.</param>
    public static bool Is(string code, string? spelling)
    {
        if (spelling is null)
            return false;
        var name = spelling.Split(';')[0];
        name = name[(name.LastIndexOfAny(['#', '.']) + 1)..];
        return name == code || name == $"{code}Exception";
    }
}
