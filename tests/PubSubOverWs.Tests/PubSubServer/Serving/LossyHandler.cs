using System.Globalization;
using System.Text.Json.Nodes;
using PubSubOverWs.Tests.LocalSqs;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>The way of a client to a <see cref="LocalSqsHost"/>, on which answers to receives from one queue are lost or changed.</summary>
internal sealed class LossyHandler(LocalSqsHost queues) : DelegatingHandler(queues.CreateHandler())
{
    private int _answers;
    private int _others;

    /// <summary>Receives from the queue with this URL are disturbed.</summary>
    public string QueueUrl { get; set; } = "";

    /// <summary>So many answers with messages in them do not come back.</summary>
    public int Lost { get; set; }

    /// <summary>So many answers have bodies that do not match their MD5.</summary>
    public int Corrupted { get; set; }

    /// <summary>Answers so far: it changes while something goes on.</summary>
    public int Answers => Volatile.Read(ref _answers);

    /// <summary>Calls under way that do not wait for messages.</summary>
    public int Others => Volatile.Read(ref _others);

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        // The SDK's is one that the server without a socket cannot read. It signs by the system's clock, too, and the queue has the test's.
        request.RequestUri = new Uri("http://localhost/");
        request.Headers.Remove("X-Amz-Date");
        request.Headers.Remove("Authorization");
        request.Headers.TryAddWithoutValidation(
            "X-Amz-Date", queues.Time.GetUtcNow().ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture));
        await LocalSqsHost.SignAsync(request);
        var isReceive = request.Headers.GetValues("X-Amz-Target").Single().EndsWith("ReceiveMessage", StringComparison.Ordinal);
        if (!isReceive)
            Interlocked.Increment(ref _others);
        try
        {
            var isDisturbed = isReceive
                && (await request.Content!.ReadAsStringAsync(cancellationToken)).Contains($"\"{QueueUrl}\"", StringComparison.Ordinal);
            var answer = await base.SendAsync(request, cancellationToken);
            return isDisturbed ? await DisturbAsync(answer, cancellationToken) : answer;
        }
        finally
        {
            Interlocked.Increment(ref _answers);
            if (!isReceive)
                Interlocked.Decrement(ref _others);
        }
    }

    private async Task<HttpResponseMessage> DisturbAsync(HttpResponseMessage answer, CancellationToken cancellationToken)
    {
        var json = JsonNode.Parse(await answer.Content.ReadAsStringAsync(cancellationToken))!;
        if (json["Messages"] is not JsonArray { Count: > 0 } messages)
            return answer;
        if (Lost > 0)
        {
            Lost--;
            throw new HttpRequestException("The answer is lost.");
        }
        if (Corrupted > 0)
        {
            Corrupted--;
            foreach (var message in messages)
                message!["Body"] = $"{message["Body"]} ";
            var changed = new StringContent(json.ToJsonString());
            changed.Headers.ContentType = answer.Content.Headers.ContentType;
            answer.Content = changed;
        }
        return answer;
    }
}
