using PubSubOverWs.Experiment;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>Calls to a queue that the user named, whose failures become one sentence that says what to change.</summary>
public static class QueueCalls
{
    // Their own sentences say what to change.
    private static readonly string[] Refused =
    [
        SqsErrorCode.EndpointElsewhere, "AccessDenied", "AccessDeniedException", SnsErrorCode.AuthorizationError, "InvalidClientTokenId",
        "UnrecognizedClientException",
        "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSignatureException", "ExpiredToken", "ExpiredTokenException",
    ];

    /// <param name="target">Not the embedded queue.</param>
    /// <param name="time">The clock.</param>
    /// <param name="work">Calls it.</param>
    /// <exception cref="RefusalException">The queue did not do what was asked.</exception>
    public static async Task<T> WithAsync<T>(QueueTarget target, TimeProvider time, Func<ISqs, Task<T>> work)
    {
        try
        {
            using var sqs = target.Connect(localSqs: null, time);
            return await work(sqs);
        }
        catch (SqsException failure) when (Refused.Contains(failure.Code))
        {
            throw new RefusalException(failure.Message, failure);
        }
        catch (SqsException failure) when (failure.Code is SqsErrorCode.NoCredentials or SqsErrorCode.NoRegion)
        {
            throw new RefusalException($"{Capital(target.Name)} needs to know who calls: {failure.Message}", failure);
        }
        catch (SqsException failure)
        {
            var check = target is AwsTarget ? "--region, and the way to the internet" : target.NamedBy;
            throw new RefusalException(
                ExitCode.Unreachable, $"{Capital(target.Name)} cannot be used: {failure.Message} Check {check}.", failure);
        }
    }

    private static string Capital(string name) => char.ToUpperInvariant(name[0]) + name[1..];
}
