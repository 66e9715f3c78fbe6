using System.Globalization;
using System.Text.Json;
using System.Text.Json.Nodes;
using Microsoft.AspNetCore.Http;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>An answer of SQS to calls that it refuses, in its own words.</summary>
/// <param name="Status">HTTP status.</param>
/// <param name="Code">The end of <c>__type</c>, or of failed entries the <c>Code</c>.</param>
/// <param name="Message">What SQS says.</param>
internal sealed record QueueFailure(int Status, string Code, string Message)
{
    /// <summary>Of which operations; none named: of all.</summary>
    public string[] Operations { get; init; } = [];

    /// <summary>How far the clock of the queue is ahead.</summary>
    public TimeSpan ClockAhead { get; init; }

    /// <summary>The call succeeds, and of its entries some or all fail, by no fault of the sender's.</summary>
    public bool InEntries { get; init; }

    /// <summary>How likely a call fails, or an entry, drawn for each.</summary>
    public double Share { get; init; } = 1;

    /// <summary>What <see cref="Share"/> is drawn from.</summary>
    public Random Random { get; init; } = new(1);

    /// <summary>Whether this call is to fail, or entries of it.</summary>
    public bool Concerns(string target) =>
        (Operations.Length == 0 || Operations.Any(operation => target == "AmazonSQS." + operation)) && (InEntries || IsDrawn());

    /// <summary>Whether the next one is to fail.</summary>
    public bool IsDrawn()
    {
        lock (Random)
            return Random.NextDouble() < Share;
    }

    /// <summary>The answer to an entry that failed.</summary>
    public JsonNode Failed(string id) => JsonSerializer.SerializeToNode(new { Id = id, SenderFault = false, Code, Message })!;

    /// <summary>The answer to a call that failed.</summary>

    public async Task AnswerAsync(HttpContext context)
    {
        context.Response.StatusCode = Status;
        context.Response.ContentType = "application/x-amz-json-1.0";
        context.Response.Headers.Date = (TimeProvider.System.GetUtcNow() + ClockAhead).ToString("R", CultureInfo.InvariantCulture);
        var answer = new Dictionary<string, string> { ["__type"] = $"com.amazonaws.sqs#{Code}", ["message"] = Message };
        await context.Response.WriteAsync(JsonSerializer.Serialize(answer), context.RequestAborted);
    }

    public override string ToString() => Code;
}
