using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>
/// The keys of containers: a file in the form of AWS, which docker-compose.yml mounts as a secret and names in a variable.
/// </summary>
public sealed class CredentialsFileTests
{
    [Fact]
    public async Task The_server_finds_its_keys_in_the_file_that_the_environment_names()
    {
        await using var queue = await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), CancellationToken.None);
        var environment = new Dictionary<string, string>
        {
            ["AWS_ACCESS_KEY_ID"] = "",
            ["AWS_SECRET_ACCESS_KEY"] = "",
            ["AWS_EC2_METADATA_DISABLED"] = "true",
            ["AWS_SHARED_CREDENTIALS_FILE"] = Path.Combine(AppContext.BaseDirectory, "localstack.credentials"),
        };

        // It opens its queue before it is ready, and without keys it would end.
        await using var server = await ChildServer.StartAsync(
            PubSubTarget.Program.Command(environment, "--Sqs:Endpoint", queue.Address.ToString(), "--Sqs:WaitTime", "00:00:01"),
            new ChildOptions(),
            CancellationToken.None);

        Assert.True(server.IsRunning);
    }
}
