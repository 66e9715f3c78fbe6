using System.Net;
using PubSubOverWs.Queues;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>
/// Credentials that are not configured: those of the environment. It is shared by the whole process, so nothing runs beside these.
/// </summary>
public abstract class CredentialTests : IDisposable
{
    private static readonly string[] Names =
        ["AWS_EC2_METADATA_DISABLED", "AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
            "AWS_SESSION_TOKEN"];

    private readonly string?[] _before = [.. Names.Select(Environment.GetEnvironmentVariable)];
    private readonly TestClient _client;

    protected CredentialTests(SqsClientKind client)
    {
        _client = new TestClient(client, options => options.AccessKey = options.SecretKey = null);
        var nowhere = Path.Combine(AppContext.BaseDirectory, "no-such-file");
        Set("true", nowhere, nowhere, null, null, null);
    }

    [Fact]
    public async Task Without_credentials_a_call_fails_with_one_sentence_before_it_is_sent()
    {
        var failure = await Assert.ThrowsAsync<QueueException>(_client.AskAsync);

        Assert.Equal(SqsErrorCode.NoCredentials, failure.Code);
        Assert.StartsWith(
            "No AWS credentials were found: set Sqs:AccessKey and Sqs:SecretKey, or", failure.Message, StringComparison.Ordinal);
        Assert.Empty(_client.Server.Seen);
    }

    [Fact]
    public async Task Credentials_in_the_environment_are_found()
    {
        SetKeys("AKIDENVIRONMENT");
        _client.Server.Answers("""{"QueueUrl":"u"}""");

        await _client.AskAsync();

        Assert.Contains("Credential=AKIDENVIRONMENT/", _client.Server.Seen[0].Headers["authorization"], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Expired_credentials_are_looked_up_again()
    {
        SetKeys("AKIDOLD");
        _client.Server.Refuses(HttpStatusCode.Forbidden, "ExpiredToken").Answers("""{"QueueUrl":"u"}""");

        var call = _client.AskAsync();
        SetKeys("AKIDNEW");
        await _client.OutlastAsync(call);

        Assert.Contains("Credential=AKIDNEW/", _client.Server.Seen[1].Headers["authorization"], StringComparison.Ordinal);
    }

    public void Dispose()
    {
        Set(_before);
        _client.Dispose();
        GC.SuppressFinalize(this);
    }

    [Collection(nameof(SharedEnvironment))]
    public sealed class OverHttp() : CredentialTests(SqsClientKind.Http);

    [Collection(nameof(SharedEnvironment))]
    public sealed class OverAwsSdk() : CredentialTests(SqsClientKind.AwsSdk);

    private static void SetKeys(string accessKey)
    {
        Environment.SetEnvironmentVariable("AWS_ACCESS_KEY_ID", accessKey);
        Environment.SetEnvironmentVariable("AWS_SECRET_ACCESS_KEY", "secret");
    }

    private static void Set(params string?[] values)
    {
        foreach (var (name, value) in Names.Zip(values))
            Environment.SetEnvironmentVariable(name, value);
    }
}

/// <summary>Tests that change the environment of the process: nothing else runs meanwhile.</summary>
[CollectionDefinition(nameof(SharedEnvironment), DisableParallelization = true)]
public sealed class SharedEnvironment;
