using System.Text;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>Queues with a clock that the test moves, and words for what tests do with them.</summary>
internal sealed class TestQueue
{
    private static readonly TimeSpan DefaultWait = TimeSpan.FromSeconds(20);

    public TestQueue(params (string Name, string Value)[] attributes)
        : this(attributes, options: null)
    {
    }

    private TestQueue((string Name, string Value)[] attributes, LocalSqsOptions? options)
    {
        Store = new QueueStore(Time, options);
        Queue = Create("jobs", attributes);
    }

    /// <summary>In a process that holds no more than so many bytes, as it counts them.</summary>
    public static TestQueue Within(long maxBytes, params (string Name, string Value)[] attributes) =>
        new(attributes, new LocalSqsOptions { MaxBytes = maxBytes });

    public FakeTime Time { get; } = new();

    public QueueStore Store { get; }

    public QueueInMemory Queue { get; }

    public QueueInMemory Create(string name, params (string Name, string Value)[] attributes) =>
        Store.Create(name, attributes.ToDictionary(attribute => attribute.Name, attribute => attribute.Value));

    public void Send(params string[] texts) => Send(TimeSpan.Zero, texts);

    public void Send(TimeSpan delay, params string[] texts) =>
        Send([.. texts.Select(text => new NewMessage(Body(text), delay))]);

    public void Send(params NewMessage[] messages) => Queue.Send(messages);

    /// <summary>A short poll.</summary>
    public IReadOnlyList<Handout> Receive(int max = 10, TimeSpan? visibility = null, QueueInMemory? from = null)
    {
        var poll = (from ?? Queue).ReceiveAsync(max, TimeSpan.Zero, visibility, () => false, CancellationToken.None).AsTask();
        Assert.True(poll.IsCompleted);
        return poll.GetAwaiter().GetResult();
    }

    /// <summary>A long poll of 20 s.</summary>
    /// <param name="max">Messages.</param>
    /// <param name="isGone">Whether its caller is; null: once it is known to have aborted.</param>
    /// <param name="aborted">By its caller.</param>
    public Task<IReadOnlyList<Handout>> Poll(int max = 10, Func<bool>? isGone = null, CancellationToken aborted = default) =>
        Queue.ReceiveAsync(max, DefaultWait, null, () => isGone?.Invoke() ?? aborted.IsCancellationRequested, aborted).AsTask();

    public ReceiptHandle Handle(Handout handout) => new(Queue.Id, handout.Number, handout.Receipt);

    public static MessageBody Body(string text)
    {
        var utf8 = Encoding.UTF8.GetBytes(text);
        return new MessageBody([(byte)'"', .. utf8, (byte)'"'], utf8.Length, Md5Sum.Compute(utf8));
    }

    public static string[] Texts(IEnumerable<Handout> handouts) =>
        [.. handouts.Select(handout => Encoding.UTF8.GetString(handout.Body.Literal).Trim('"'))];
}
