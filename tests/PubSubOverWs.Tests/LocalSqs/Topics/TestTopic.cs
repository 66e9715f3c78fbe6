using Microsoft.Extensions.Logging;
using PubSubOverWs.LocalSqs;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.LocalSqs;

/// <summary>A topic, queues beside it, and what the store of topics wrote to its log.</summary>
internal sealed class TestTopic : ILogger<TopicStore>
{
    public TestTopic(TestQueue? queues = null)
    {
        Queues = queues ?? new TestQueue();
        Store = new TopicStore(Queues.Store, this);
        Topic = Store.Create("prices");
    }

    public TestQueue Queues { get; }

    public TopicStore Store { get; }

    public Topic Topic { get; }

    public List<string> Logged { get; } = [];

    /// <summary>A queue that is subscribed, and lets the topic send to it.</summary>
    public QueueInMemory Subscribe(string name, params (string Name, string Value)[] attributes)
    {
        var queue = Queues.Create(name, [("Policy", TopicPolicy.Allow(QueueStore.ArnOf(name), Topic.Arn)), .. attributes]);
        Store.Subscribe(Topic.Arn, QueueStore.ArnOf(name));
        return queue;
    }

    public void Publish(params string[] texts) => Store.Publish(Topic.Arn, [.. texts.Select(TestQueue.Body)]);

    public string[] Received(QueueInMemory queue) => TestQueue.Texts(Queues.Receive(from: queue));

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?, string> formatter) =>
        Logged.Add(formatter(state, exception));
}
