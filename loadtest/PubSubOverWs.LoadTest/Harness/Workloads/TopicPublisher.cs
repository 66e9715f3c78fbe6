using PubSubOverWs.LoadTest.Harness.Clients;

namespace PubSubOverWs.LoadTest.Harness.Workloads;

/// <summary>A connection that publishes its share of the messages of a topic, built before anything is timed.</summary>
public sealed class TopicPublisher : SingleConnection
{
    private readonly OwnMessage[] _messages;
    private readonly byte[][] _sends;
    private ConnectFailure? _failure;

    /// <param name="index">From 0.</param>
    /// <param name="plan">Of the iteration.</param>
    /// <param name="target">Where it connects.</param>
    public TopicPublisher(int index, TopicPlan plan, ClientTarget target)
        : base(target, LoadBounds.DefaultConnectTimeout)
    {
        _messages = [.. Enumerable.Range(0, plan.Messages).Where(message => plan.PublisherOf(message) == index)
            .Select(message => new OwnMessage(plan.MessageId(message)))];
        _sends = [.. _messages.Select((message, sequence) => StompMessages.Send(
            plan.Destination, message.Id, Payload.Write(plan.PayloadBytes, message.Id, index, sequence),
            plan.Receipts ? sequence.ToString(CultureInfo.InvariantCulture) : null))];
    }

    /// <summary>In the order in which it sends them.</summary>
    public IReadOnlyList<OwnMessage> Messages => _messages;

    public override ConnectFailure? Failure => _failure;

    /// <summary>Never waits.</summary>
    /// <param name="sequence">Its place among the messages of this publisher, from 0.</param>
    public void Send(int sequence) => Send(_sends[sequence], _messages[sequence]);

    protected override Task<ConnectFailure?> GreetAsync() => Connection.LogInAsync();

    protected override void Take(StompFrame frame, long stamp)
    {
        if (frame.Command == StompCommand.Receipt)
            OwnMessage.Answered(_messages, frame, stamp);
        else if (frame.Command == StompCommand.Error)
            GiveUp(ConnectFailure.From(frame));
    }

    protected override void GiveUp(ConnectFailure failure) => _failure ??= failure;
}

/// <summary>A topic, and what is published to it.</summary>
/// <param name="Name">Distinguishes its messages and the topic from those of any other that meets the same server.</param>
/// <param name="Publishers">1 or more; they send in turn.</param>
/// <param name="Messages">Of all publishers together: 1 or more.</param>
/// <param name="PayloadBytes">Of each body.</param>
/// <param name="Receipts">Asks for a receipt of each SEND.</param>
public sealed record TopicPlan(string Name, int Publishers, int Messages, int PayloadBytes, bool Receipts)
{
    /// <summary>What all message ids begin with.</summary>
    public string Prefix => $"{Name}-";

    public string Destination => $"/topic/{Name}";

    /// <summary>The publisher whose turn a message is.</summary>
    /// <param name="message">From 0, in the order in which they are due.</param>
    public int PublisherOf(int message) => message % Publishers;

    /// <summary>The application id of a message.</summary>
    /// <param name="message">From 0.</param>
    public string MessageId(int message) => Invariant($"{Prefix}{message}");
}
