using System.Collections.Frozen;
using System.Xml.Linq;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// AWS Query, the protocol of SNS: a form with the operation in <c>Action</c>, answers in XML, errors as 4xx and 5xx with <c>Code</c>.
/// </summary>
internal sealed class SnsProtocol(TopicStore topics, SignatureCheck signatures, AnswerDelay delay)
{
    private const string Service = "sns";
    private const string Version = "2010-03-31";
    private const string Form = "application/x-www-form-urlencoded";

    // Each returns the content of the result; null: it is empty.
    private static readonly FrozenDictionary<string, Func<SnsCall, object?>> Actions = new Dictionary<string, Func<SnsCall, object?>>
    {
        ["PublishBatch"] = PublishOperations.PublishBatch,
        ["Publish"] = PublishOperations.Publish,
        ["CreateTopic"] = TopicOperations.CreateTopic,
        ["DeleteTopic"] = TopicOperations.DeleteTopic,
        ["ListTopics"] = TopicOperations.ListTopics,
        ["GetTopicAttributes"] = TopicOperations.GetTopicAttributes,
        ["Subscribe"] = SubscriptionOperations.Subscribe,
        ["Unsubscribe"] = SubscriptionOperations.Unsubscribe,
        ["ListSubscriptionsByTopic"] = SubscriptionOperations.ListSubscriptionsByTopic,
        ["GetSubscriptionAttributes"] = SubscriptionOperations.GetSubscriptionAttributes,
        ["SetSubscriptionAttributes"] = SubscriptionOperations.SetSubscriptionAttributes,
    }.ToFrozenDictionary();

    public static bool IsFor(HttpRequest request) => request.ContentType?.StartsWith(Form, StringComparison.OrdinalIgnoreCase) is true;

    public async Task HandleAsync(HttpContext http)
    {
        var answer = AnswerXml.Write(await AnswerAsync(http));
        if (delay.IsOn)
            await delay.WaitAsync(http.RequestAborted);
        http.Response.ContentType = "text/xml";
        http.Response.ContentLength = answer.Length;
        http.Response.Headers["x-amzn-RequestId"] = http.TraceIdentifier;
        await http.Response.BodyWriter.WriteAsync(answer, http.RequestAborted);
    }

    private async Task<XElement> AnswerAsync(HttpContext http)
    {
        using var body = new PooledBytes(4096);
        try
        {
            var signed = signatures.Read(http.Request);
            await RequestBody.ReadAsync(http.Request, body, http.RequestAborted);
            var form = FormFields.Parse(body.Written.Span);
            var action = form.Take("Action") ?? "";
            var operation = Find(action, form.Take("Version"));
            signatures.Check(http.Request, body.Written.Span, signed, Service);
            return AnswerXml.Answer(action, operation(new SnsCall(topics, form)), http.TraceIdentifier);
        }
        catch (SqsErrorException refused)
        {
            http.Response.StatusCode = refused.Error.Status;
            return AnswerXml.Error(CodeOf(refused.Error), refused.Error.Status, refused.Message, http.TraceIdentifier);
        }
    }

    private static Func<SnsCall, object?> Find(string action, string? version) =>
        version != Version
            ? throw new SqsErrorException(
                SnsError.InvalidAction,
                $"LocalSqs takes forms as calls of SNS, of version {Version}; calls of SQS must be AWS JSON 1.0, with the operation in the "
                    + "header X-Amz-Target.")
            : Actions.TryGetValue(action, out var operation)
                ? operation
                : throw new SqsErrorException(SnsError.InvalidAction, $"LocalSqs does not have the action {action} of SNS.");

    // For errors of both services SNS uses the older codes of SQS, without the part before the point.
    private static string CodeOf(SqsError error) => error.QueryCode[(error.QueryCode.LastIndexOf('.') + 1)..];
}

/// <summary>One call of SNS: its parameters and the store that it works on.</summary>
internal sealed record SnsCall(TopicStore Topics, FormFields Form);
