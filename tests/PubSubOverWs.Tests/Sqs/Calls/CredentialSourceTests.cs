using Amazon.Runtime;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>Credentials that are found, and what gives them out fails now and then.</summary>
public sealed class CredentialSourceTests
{
    private static readonly ImmutableCredentials Keys = new("AKID", "secret", null);

    private readonly List<TaskCompletionSource<AWSCredentials>> _lookUps = [];

    [Fact]
    public async Task Once_credentials_were_found_a_failed_refresh_is_retryable_and_nothing_was_sent()
    {
        var found = new Renewed();
        var source = Source();
        var first = source.GetAsync().AsTask();
        Found(0, found);
        Assert.Same(Keys, await first);

        found.Failure = new AmazonClientException("the container does not answer.");
        var failure = await Assert.ThrowsAsync<QueueException>(() => source.GetAsync().AsTask());

        Assert.Equal((SqsErrorCode.CredentialsNotRenewed, true, false), (failure.Code, failure.IsRetryable, failure.MayHaveArrived));
        Assert.Equal(
            "The AWS credentials could not be renewed (the container does not answer): "
            + "check whether their source answers. Nothing was sent.",
            failure.Message);
        found.Failure = null;
        Assert.Same(Keys, await source.GetAsync());
        Assert.Single(_lookUps);
    }

    [Fact]
    public async Task Once_credentials_were_found_a_failed_look_up_is_retryable()
    {
        var source = Source();
        var first = source.GetAsync().AsTask();
        Found(0, new Renewed());
        await first;
        Assert.True(source.TryForget());

        var call = source.GetAsync().AsTask();
        _lookUps[1].SetException(new HttpRequestException("refused"));

        Assert.True((await Assert.ThrowsAsync<QueueException>(() => call)).IsRetryable);
        var next = source.GetAsync().AsTask();
        Found(2, new Renewed());
        Assert.Same(Keys, await next);
    }

    [Fact]
    public async Task Without_any_credentials_so_far_a_call_fails_for_good_and_the_next_one_looks_again()
    {
        var source = Source();
        var call = source.GetAsync().AsTask();
        _lookUps[0].SetException(new AmazonClientException("none"));

        var failure = await Assert.ThrowsAsync<QueueException>(() => call);

        Assert.Equal((SqsErrorCode.NoCredentials, false), (failure.Code, failure.IsRetryable));
        var next = source.GetAsync().AsTask();
        Found(1, new Renewed());
        Assert.Same(Keys, await next);
    }

    [Fact]
    public async Task Calls_at_one_time_look_once_and_use_the_credentials_even_if_they_are_forgotten_meanwhile()
    {
        var source = Source();
        var (first, second) = (source.GetAsync().AsTask(), source.GetAsync().AsTask());
        source.TryForget();
        Found(0, new Renewed());

        Assert.Same(Keys, await first);
        Assert.Same(Keys, await second);
        Assert.Single(_lookUps);
    }

    private CredentialSource Source() => new(new SqsOptions(), () =>
    {
        _lookUps.Add(new TaskCompletionSource<AWSCredentials>());
        return _lookUps[^1].Task;
    });

    private void Found(int lookUp, AWSCredentials credentials) => _lookUps[lookUp].SetResult(credentials);

    /// <summary>Gives the keys out, or fails.</summary>
    private sealed class Renewed : AWSCredentials
    {
        public Exception? Failure { get; set; }

        public override ImmutableCredentials GetCredentials() => Failure is null ? Keys : throw Failure;
    }
}
