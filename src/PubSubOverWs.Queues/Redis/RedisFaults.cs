using System.Security.Authentication;
using StackExchange.Redis;

namespace PubSubOverWs.Queues;

/// <summary>Turns failures into a <see cref="QueueException"/>: the code to decide on, whether to retry, one sentence.</summary>
internal sealed class RedisFaults(RedisOptions options)
{
    /// <summary>The stream, or its group, is gone.</summary>
    public const string NoGroup = "NOGROUP";

    // As the client says it.
    private const string NoDatabase = "The database does not exist";

    // The first word of what Redis answers, and what to do about it. They pass by themselves, or when somebody makes room.
    private static readonly Dictionary<string, string> Passing = new(StringComparer.Ordinal)
    {
        ["OOM"] = "it is full (maxmemory), so read messages or give it more",
        ["UNBLOCKED"] = "its data was deleted, or it became a replica, so look what happened to it",
        ["LOADING"] = "it reads its data, so wait",
        ["BUSY"] = "a script keeps it busy, so wait",
        ["MISCONF"] = "it cannot write to its disk, so look at its log",
        ["READONLY"] = "it is a replica, so name the primary",
        ["MASTERDOWN"] = "its primary is away, so wait",
        ["NOREPLICAS"] = "too few replicas answer, so wait",
        ["CLUSTERDOWN"] = "its cluster is down, so wait",
        ["TRYAGAIN"] = "its cluster moves keys, so wait",
    };

    private static readonly Dictionary<string, string> Lasting = new(StringComparer.Ordinal)
    {
        ["NOAUTH"] = "set Redis:User and Redis:Password",
        ["WRONGPASS"] = "check Redis:User and Redis:Password",
        ["NOPERM"] = "allow this user the commands and keys in docs/reference/redis.md",
        ["WRONGTYPE"] = "the key is no stream, so name another queue",
    };

    public QueueException Of(string what, Exception failure) => failure switch
    {
        RedisServerException refused => Refused(what, refused),
        RedisTimeoutException => new QueueException(
            "TimedOut",
            $"Redis at {options.Url} did not answer {what} within {options.RequestTimeout.TotalSeconds:0.#} s: check whether it is "
                + "overloaded.",
            isRetryable: true, failure),
        _ when Causes(failure).OfType<AuthenticationException>().Any() => new QueueException(
            "Tls", $"Redis at {options.Url} did not agree on TLS: check its certificate, or use redis://.", isRetryable: false, failure),
        _ when Causes(failure).Any(IsLogin) => new QueueException(
            "WRONGPASS", $"Redis at {options.Url} refused the login: check Redis:User and Redis:Password.", isRetryable: false, failure),
        RedisConnectionException => new QueueException(
            "Unreachable", $"Redis at {options.Url} cannot be reached: check whether it runs there.", isRetryable: true, failure),
        RedisCommandException when failure.Message.StartsWith(NoDatabase, StringComparison.Ordinal) => new QueueException(
            "NoDatabase", $"Redis at {options.Url} has no database {options.Database}: set Redis:Database.", isRetryable: false, failure),
        // The client itself refuses, such as a write to a replica.
        _ => new QueueException(
            "NotSent", $"Redis at {options.Url} got no {what} ({failure.Message.TrimEnd('.')}): look at its role.", isRetryable: true,
            failure)
        {
            MayHaveArrived = failure is not RedisCommandException,
        },
    };

    public static bool IsOfRedis(Exception failure) => failure is RedisException or RedisTimeoutException or RedisCommandException;

    public static string CodeOf(RedisServerException refused) => refused.Message.Split(' ', 2)[0];

    private static bool IsLogin(Exception cause) =>
        cause is RedisConnectionException { FailureType: ConnectionFailureType.AuthenticationFailure };

    private static IEnumerable<Exception> Causes(Exception failure)
    {
        for (var cause = failure; cause is not null; cause = cause.InnerException)
            yield return cause;
    }

    private QueueException Refused(string what, RedisServerException refused)
    {
        var code = CodeOf(refused);
        var passes = Passing.TryGetValue(code, out var advice);
        if (!passes)
            Lasting.TryGetValue(code, out advice);
        return new QueueException(
            code,
            $"Redis at {options.Url} refused {what} with {refused.Message.Trim().TrimEnd('.')}{(advice is null ? "" : $": {advice}")}.",
            isRetryable: passes || code == NoGroup, refused)
        {
            // It says that it did nothing.
            MayHaveArrived = false,
        };
    }
}
