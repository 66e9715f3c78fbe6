using PubSubOverWs.Experiment;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LoadTest.Targets.Sqs;

/// <summary>Calls to a queue that the user chose, with failures as one sentence that says what to change.</summary>
public static class QueueCalls
{
    // Their own messages say what to change.
    private static readonly string[] Refused =
    [
        SqsErrorCode.EndpointElsewhere, "AccessDenied", "AccessDeniedException", SnsErrorCode.AuthorizationError, "InvalidClientTokenId",
        "UnrecognizedClientException",
        "InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidSignatureException", "ExpiredToken", "ExpiredTokenException",
    ];

    /// <param name="target">Not the embedded queue.</param>
    /// <exception cref="RefusalException">A call failed.</exception>
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
            throw new RefusalException($"{Capital(target.Name)} needs credentials and a region: {failure.Message}", failure);
        }
        catch (SqsException failure)
        {
            var check = target is AwsTarget ? "--region and the internet connection" : target.NamedBy;
            throw new RefusalException(
                ExitCode.Unreachable, $"{Capital(target.Name)} cannot be used: {failure.Message} Check {check}.", failure);
        }
    }

    private static string Capital(string name) => char.ToUpperInvariant(name[0]) + name[1..];
}
