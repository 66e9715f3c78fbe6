using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;
using PubSubOverWs.Tests.Sqs;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>
/// Answers of a queue by chance, to either client: it returns a value or throws <see cref="QueueException"/>, and always ends.
/// </summary>
internal sealed class AnswersTarget : IFuzzTarget
{
    public const string Id = "answers";

    private static readonly SendEntry[] Entries = TestClient.Entries("a", "b", "c");
    private static readonly SqsClientKind[] Kinds = Enum.GetValues<SqsClientKind>();
    private static readonly TimeSpan Step = TimeSpan.FromSeconds(5);

    public string Name => Id;

    public string Unit => FuzzTargets.Requests;

    public async Task<int> StepAsync(Draw draw)
    {
        using var server = new AnsweringServer(draw);
        var time = new FakeTime();
        var kind = Kinds[draw.Below(Kinds.Length)];
        var options = new SqsOptions
        {
            Client = kind,
            Endpoint = "http://127.0.0.1:9324",
            AccessKey = "key",
            SecretKey = "secret",
            MaxAttempts = 3,
        };
        var sqs = SqsClient.Create(options, time, server);
        using var disposed = (IDisposable)sqs;

        var call = FakeTime.Start(() => CallAsync(sqs, draw.Below(9)));
        while (!call.IsCompleted)
        {
            Assert.NotEqual(0, time.TimersSet);
            time.Advance(Step);
        }
        try
        {
            await call;
        }
        catch (QueueException refused)
        {
            Assert.NotEmpty(refused.Code);
            Assert.NotEmpty(refused.Message);
        }
        return 1;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static async ValueTask<object?> CallAsync(ISqs sqs, int which)
    {
        const string url = TestClient.QueueUrl;
        var none = CancellationToken.None;
        switch (which)
        {
            case 0:
                return await sqs.CreateQueueAsync("jobs", new QueueSettings(), none);
            case 1:
                return await sqs.GetQueueUrlAsync("jobs", none);
            case 2:
                return await sqs.GetQueueAttributesAsync(url, none);
            case 3:
                await sqs.DeleteQueueAsync(url, none);
                return null;
            case 4:
                return await sqs.ListQueuesAsync("", none);
            case 5:
                return Whole(await sqs.SendAsync(url, Entries, none), Entries.Length);
            case 6:
                return await sqs.ReceiveAsync(url, new ReceiveRequest(), none);
            case 7:
                return Whole(await sqs.SettleAsync(url, ["one", "two"], none), 2);
            default:
                return Whole(await sqs.HoldAsync(url, [new HoldEntry("one", TimeSpan.Zero)], none), 1);
        }
    }

    private static IReadOnlyList<EntryResult> Whole(IReadOnlyList<EntryResult> results, int entries)
    {
        Assert.Equal(entries, results.Count);
        Assert.All(results, result => Assert.True(result.Succeeded || result.Failure is not null));
        return results;
    }
}
