using System.Globalization;
using PubSubOverWs.PubSubServer;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>Writes down what the dispatcher decided, as words.</summary>
internal sealed class FakeSettlement : ISettlement
{
    public List<string> Decided { get; } = [];

    public void Delete(Lease lease) => Decided.Add($"delete {lease.ReceiptHandle}");

    public void Release(Lease lease, TimeSpan hidden) => Decided.Add($"release {lease.ReceiptHandle} {Seconds(hidden)}");

    public void SendAgain(Lease lease, IReadOnlyList<InboundMessage> messages, TimeSpan hidden)
    {
        Decided.Add($"send again {string.Join(' ', messages.Select(message => message.Message.Id))} {Seconds(hidden)}");
        foreach (var message in messages)
            message.Settle();
    }

    public void Park(InboundMessage message)
    {
        Decided.Add($"park {message.Message.Id}");
        message.Settle();
    }

    public bool ForwardFails { get; set; }

    public void Forward(InboundMessage message, EnvelopeSender way)
    {
        Decided.Add($"forward {message.Message.Id}");
        if (ForwardFails)
            message.NotForwarded();
        else
            message.Settle();
    }

    public void DeadLetter(InboundMessage message)
    {
        Decided.Add($"dead-letter {message.Message.Id}");
        message.Settle();
    }

    public void DeadLetterWhole(Lease lease) => Decided.Add($"dead-letter whole {lease.ReceiptHandle}");

    private static string Seconds(TimeSpan time) => time.TotalSeconds.ToString(CultureInfo.InvariantCulture);
}
