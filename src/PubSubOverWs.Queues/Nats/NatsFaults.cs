using System.Globalization;
using System.Net.Sockets;
using System.Security.Authentication;
using NATS.Client.Core;
using NATS.Client.JetStream;
using NATS.Client.JetStream.Models;

namespace PubSubOverWs.Queues;

/// <summary>Turns failures into a <see cref="QueueException"/>: the code to decide on, whether to retry, one sentence.</summary>
internal sealed class NatsFaults(NatsOptions options)
{
    /// <summary>The stream or its consumer is gone, or JetStream is.</summary>
    public const string NoStream = "NoStream";

    public const string NotReached = "Unreachable";

    public const string TimedOut = "TimedOut";

    private const string Full = "it is full, so read messages or give it more";
    private const string Gone = "its data is gone, so look what happened to it";

    // Error codes of JetStream, and what to do. They pass by themselves, or when somebody makes room.
    private static readonly Dictionary<int, string> Passing = new()
    {
        [10002] = Full,
        [10008] = "JetStream is not available, so wait or look at its log",
        [10009] = "its cluster has no leader, so wait",
        [10014] = Gone,
        [10023] = Full,
        [10028] = Full,
        [10047] = Full,
        [10059] = Gone,
        [10077] = Full,
    };

    public QueueException Of(string what, Exception failure) => failure switch
    {
        NatsJSApiException refused => Refused(what, refused.Error, refused),
        _ when Causes(failure).OfType<NatsServerException>().Any(one => one.IsAuthError) => new QueueException(
            "Login", $"NATS at {options.Url} refused the login: check Nats:User and Nats:Password.", isRetryable: false, failure),
        _ when Causes(failure).OfType<AuthenticationException>().Any() => new QueueException(
            "Tls", $"NATS at {options.Url} did not agree on TLS: check its certificate, or use nats://.", isRetryable: false, failure),
        NatsNoRespondersException => new QueueException(
            NoStream, $"NATS at {options.Url} has nobody for {what}: check JetStream and its disk.", isRetryable: true, failure)
        {
            MayHaveArrived = false,
        },
        NatsNoReplyException or NatsJSApiNoResponseException or NatsJSPublishNoResponseException or NatsJSTimeoutException
            or TimeoutException or OperationCanceledException => new QueueException(
            TimedOut,
            $"NATS at {options.Url} did not answer {what} within {options.RequestTimeout.TotalSeconds:0.#} s: check its load.",
            isRetryable: true, failure),
        _ => Unreachable(failure, mayHaveArrived: true),
    };

    /// <summary>It refused a call of JetStream.</summary>
    public QueueException Refused(string what, ApiError error, Exception? failure = null)
    {
        var passes = Passing.TryGetValue(error.ErrCode, out var advice) || error.Code >= 500;
        return new QueueException(
            advice == Gone ? NoStream : error.ErrCode.ToString(CultureInfo.InvariantCulture),
            $"NATS at {options.Url} refused {what} with {error.ErrCode} {error.Description?.Trim().TrimEnd('.')}"
                + $"{(advice is null ? "" : $": {advice}")}.",
            isRetryable: passes, failure)
        {
            // It says that it did nothing.
            MayHaveArrived = false,
        };
    }

    public QueueException Denied(string what) => new(
        "Denied", $"NATS at {options.Url} refused {what}: allow this user the subjects in docs/reference/nats.md.", isRetryable: false);

    public QueueException Unreachable(Exception? failure, bool mayHaveArrived) => new(
        NotReached, $"NATS at {options.Url} cannot be reached: check whether it runs there.", isRetryable: true, failure)
    {
        MayHaveArrived = mayHaveArrived,
    };

    /// <summary>A setting of the server, or of a stream that somebody else made, with which the queue cannot do what it promises.</summary>
    public QueueException Unfit(string sentence) => new("Unfit", $"NATS at {options.Url} {sentence}.", isRetryable: false);

    public static bool IsOfNats(Exception failure) => failure is NatsException or TimeoutException or IOException or SocketException;

    private static IEnumerable<Exception> Causes(Exception failure)
    {
        for (var cause = failure; cause is not null; cause = cause.InnerException)
            yield return cause;
    }
}
