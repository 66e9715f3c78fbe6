using System.Security.Authentication;
using System.Threading.Channels;
using RabbitMQ.Client;
using RabbitMQ.Client.Events;
using RabbitMQ.Client.Exceptions;

namespace PubSubOverWs.Queues;

/// <summary>Turns failures into a <see cref="QueueException"/>: the code to decide on, whether to retry, one sentence.</summary>
internal sealed class RabbitMqFaults(RabbitMqOptions options)
{
    /// <summary>The queue is gone.</summary>
    public const string NoQueue = "NOT_FOUND";

    /// <summary>There is a queue of that name, and it is not like ours; or an argument is wrong.</summary>
    public const string Precondition = "PRECONDITION_FAILED";

    // The first word of what RabbitMQ answers, and what to do about it. They do not pass by themselves.
    private static readonly Dictionary<string, string> Lasting = new(StringComparer.Ordinal)
    {
        ["ACCESS_REFUSED"] = "allow this user what docs/reference/rabbitmq.md says",
        ["NOT_ALLOWED"] = "check RabbitMq:VirtualHost, and whether this user may use it",
    };

    private static readonly Dictionary<string, string> Passing = new(StringComparer.Ordinal)
    {
        ["CONNECTION_FORCED"] = "somebody stops it, so wait",
        [NoQueue] = "it lost the queue, or too few of its nodes run, so look at them",
        ["INTERNAL_ERROR"] = "look at its log",
        ["RESOURCE_ERROR"] = "it has no room for this, so look at its log",
    };

    public QueueException Of(string what, Exception failure)
    {
        var causes = Causes(failure).ToList();
        // Without a connection nothing was sent.
        var mayHaveArrived = failure is not BrokerUnreachableException;
        return failure switch
        {
            _ when causes.OfType<AuthenticationFailureException>().Any() => new QueueException(
                "Login", $"RabbitMQ at {options.Url} refused the login: check RabbitMq:User and RabbitMq:Password.", isRetryable: false,
                failure),
            _ when causes.OfType<AuthenticationException>().Any() => new QueueException(
                "Tls", $"RabbitMQ at {options.Url} did not agree on TLS: check its certificate, or use amqp://.", isRetryable: false,
                failure),
            _ when causes.OfType<OperationInterruptedException>().Select(cause => cause.ShutdownReason)
                .FirstOrDefault(reason => reason?.Initiator == ShutdownInitiator.Peer) is { } reason => Refused(what, reason, failure),
            PublishException { IsReturn: true } => Gone(failure),
            PublishException => new QueueException(
                "Nacked", $"RabbitMQ at {options.Url} did not take a message: look at its log.", isRetryable: true, failure)
            {
                MayHaveArrived = false,
            },
            TimeoutException or OperationCanceledException => new QueueException(
                "TimedOut",
                $"RabbitMQ at {options.Url} did not answer {what} within {options.RequestTimeout.TotalSeconds:0.#} s: check whether it is "
                    + "overloaded.",
                isRetryable: true, failure),
            _ => new QueueException(
                "Unreachable", $"RabbitMQ at {options.Url} cannot be reached: check whether it runs there.", isRetryable: true, failure)
            {
                MayHaveArrived = mayHaveArrived,
            },
        };
    }

    /// <summary>RabbitMQ said that it takes no messages for now.</summary>
    /// <param name="reason">Its own words.</param>
    /// <param name="mayHaveArrived">Something was sent before it said so.</param>
    public QueueException Blocked(string reason, bool mayHaveArrived) => new(
        "Blocked", $"RabbitMQ at {options.Url} takes no messages ({reason}): read messages, or give it more memory or disk.",
        isRetryable: true)
    {
        MayHaveArrived = mayHaveArrived,
    };

    /// <summary>What the client throws when RabbitMQ refuses or does not answer.</summary>
    public static bool IsOfRabbitMq(Exception failure) =>
        failure is RabbitMQClientException or BrokerUnreachableException or TimeoutException or OperationCanceledException or IOException
            or ObjectDisposedException or ChannelClosedException;

    /// <summary>As it begins its text.</summary>
    public static string CodeOf(ShutdownEventArgs reason) => reason.ReplyText.Split(' ', 2)[0];

    private static IEnumerable<Exception> Causes(Exception failure)
    {
        yield return failure;
        var inner = failure is AggregateException many ? many.InnerExceptions : (IEnumerable<Exception?>)[failure.InnerException];
        foreach (var cause in inner.OfType<Exception>().SelectMany(Causes))
            yield return cause;
    }

    private QueueException Gone(Exception failure) => new(
        NoQueue, $"RabbitMQ at {options.Url} has no such queue: it lost its data, and the queue is made again.", isRetryable: true, failure)
    {
        MayHaveArrived = false,
    };

    private QueueException Refused(string what, ShutdownEventArgs reason, Exception failure)
    {
        var code = CodeOf(reason);
        // What is held for too long closes its channel, and comes again.
        var lasts = Lasting.TryGetValue(code, out var advice) || (code == Precondition && what == RabbitMqQueue.Declare);
        if (advice is null && lasts)
            advice = "the queue is of another kind, so name another or delete it";
        if (advice is null)
            Passing.TryGetValue(code, out advice);
        return new QueueException(
            code,
            $"RabbitMQ at {options.Url} refused {what} with {reason.ReplyCode} {reason.ReplyText.Trim().TrimEnd('.')}"
                + $"{(advice is null ? "" : $": {advice}")}.",
            isRetryable: !lasts, failure)
        {
            // It stops working on what was sent before, of which it may have done some.
            MayHaveArrived = !lasts && code != NoQueue,
        };
    }
}
