using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>The pubsub server's keys.</summary>
public sealed class QueueKeysTests
{
    private const string AccessKey = "AKIDOFTHETEST";
    private const string SecretKey = "the-secret-key-of-the-queue";
    private const string SessionToken = "the-session-token-of-the-queue";

    [Fact]
    public async Task No_secret_of_the_queue_is_logged_or_sent_to_clients_at_any_log_level_even_when_calls_fail()
    {
        await using var queue = await TestServers.QueueAsync("--LocalSqs:AccessKey", AccessKey, "--LocalSqs:SecretKey", SecretKey);
        var secrets = new Dictionary<string, string>
        { ["Sqs__AccessKey"] = AccessKey, ["Sqs__SecretKey"] = SecretKey, ["Sqs__SessionToken"] = SessionToken };
        using var server = ServerProgram.Start(PubSubTarget.Program.Command(
            secrets, "--Sqs:Endpoint", queue.Address.ToString(), "--Queue:WaitTime", "00:00:01", "--Sqs:MaxAttempts", "2",
                "--Queue:PublishTimeout",
            "00:00:01", "--urls", "http://127.0.0.1:0",
            "--Logging:LogLevel:Default", "Trace", "--Logging:Console:LogLevel:Default", "Trace", "--child"));
        var address = await server.ListeningAsync();
        using var user = await StompUser.ConnectAsync(address);
        Assert.Null(await user.PublishAsync("/queue/a", "1"));
        await user.ReceiveAllAsync("/queue/a", ["1"]);

        await queue.StopAsync();
        var error = await user.PublishAsync("/queue/a", "2");

        var log = (await server.EndAsync()).Error;
        Assert.Contains("cannot be reached", error, StringComparison.Ordinal);
        Assert.Contains("cannot be reached", log, StringComparison.Ordinal);
        // The second: what every header of Signature Version 4 begins with.
        Assert.All([SecretKey, "AWS4-HMAC-SHA256", SessionToken],
            secret => Assert.DoesNotContain(secret, log + error, StringComparison.Ordinal));
    }

    /// <summary>A file in the form of AWS, which docker-compose.yml mounts as a secret and names in a variable.</summary>
    [Fact]
    public async Task The_server_finds_its_keys_in_the_file_that_the_environment_names()
    {
        await using var queue = await TestServers.QueueAsync();
        var environment = new Dictionary<string, string>
        {
            ["AWS_ACCESS_KEY_ID"] = "",
            ["AWS_SECRET_ACCESS_KEY"] = "",
            ["AWS_EC2_METADATA_DISABLED"] = "true",
            ["AWS_SHARED_CREDENTIALS_FILE"] = Path.Combine(AppContext.BaseDirectory, "localstack.credentials"),
        };

        // It opens its queue before it is ready, and without keys it would end.
        await using var server = await TestServers.StartAsync(
            PubSubTarget.Program.Command(environment, "--Sqs:Endpoint", queue.Address.ToString(), "--Queue:WaitTime", "00:00:01"));

        Assert.True(server.IsRunning);
    }
}
