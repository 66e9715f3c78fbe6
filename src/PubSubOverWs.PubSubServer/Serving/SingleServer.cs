using PubSubOverWs.Relay;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.PubSubServer;

/// <summary>A server that is alone with its queue.</summary>
internal sealed class SingleServer : QueueServer
{
    private SingleServer(QueueContext context, QueueUrls urls, Func<Delivery, DeliverOutcome> deliver)
        : base(context, urls)
    {
        var sender = new EnvelopeSender(EnvelopeTarget.Queue(context.Sqs, urls.Name, urls.Url), context.Options.Sending, context.Time);
        Quiet = new Quiet(sender);
        Publisher = new Publisher(
            sender, context.Options.PublishTimeout, context.Meter, new PatientCalls(context.Time, Quiet.Token), context.Awake);
        Flows = [new QueueFlow(context, urls, deliver), new QueueFlow(context, urls.Parked, deliver)];
    }

    public override Publisher Publisher { get; }

    protected override Quiet Quiet { get; }

    protected override QueueFlow[] Flows { get; }

    /// <summary>Finds the queue or creates it.</summary>
    /// <exception cref="SqsException">It cannot be reached, or refused.</exception>
    public static async Task<QueueServer> OpenAsync(
        ISqs sqs, QueueContext context, Func<Delivery, DeliverOutcome> deliver, CancellationToken cancellationToken) =>
        new SingleServer(context, await QueueUrls.OpenAsync(sqs, context.Options.Queue, cancellationToken), deliver);
}
