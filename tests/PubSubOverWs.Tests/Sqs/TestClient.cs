using System.Text;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>One of the clients before a scripted server, with a clock that the test moves.</summary>
internal sealed class TestClient : IDisposable
{
    public const string QueueUrl = "http://127.0.0.1:9324/000000000000/jobs";

    public TestClient(SqsClientKind client, Action<SqsOptions>? configure = null)
    {
        var options = new SqsOptions
        { Endpoint = "http://127.0.0.1:9324", Region = "eu-central-1", AccessKey = "AKIDEXAMPLE", SecretKey = "secret" };
        configure?.Invoke(options);
        options.Client = client;
        Sqs = SqsClient.Create(options, Time, Server);
    }

    public FakeTime Time { get; } = new();

    public ScriptedServer Server { get; } = new();

    public ISqs Sqs { get; }

    public Task<IReadOnlyList<EntryResult>> SendAsync(params string[] bodies) =>
        FakeTime.Start(() => Sqs.SendAsync(QueueUrl, Entries(bodies), CancellationToken.None));

    public Task<IReadOnlyList<ReceivedMessage>> ReceiveAsync(CancellationToken stopping = default) =>
        FakeTime.Start(() => Sqs.ReceiveAsync(QueueUrl, new ReceiveRequest(), stopping));

    public Task<string> AskAsync() => FakeTime.Start(() => Sqs.GetQueueUrlAsync("jobs", CancellationToken.None));

    /// <summary>Moves the clock until the call has ended: each wait between attempts is over at once.</summary>
    public async Task<T> OutlastAsync<T>(Task<T> call)
    {
        while (!call.IsCompleted)
        {
            Assert.NotEqual(0, Time.TimersSet);
            Time.Advance(TimeSpan.FromSeconds(1));
        }
        return await call;
    }

    public static SendEntry[] Entries(params string[] bodies) => [.. bodies.Select(body => new SendEntry(Encoding.UTF8.GetBytes(body)))];

    public void Dispose() => ((IDisposable)Sqs).Dispose();
}

/// <summary>Tests that hold for either client.</summary>
public abstract class ClientTests(SqsClientKind kind, Action<SqsOptions>? configure = null) : IDisposable
{
    private protected SqsClientKind Kind { get; } = kind;

    private protected TestClient Client { get; } = new(kind, configure);

    public void Dispose()
    {
        Client.Dispose();
        GC.SuppressFinalize(this);
    }
}
