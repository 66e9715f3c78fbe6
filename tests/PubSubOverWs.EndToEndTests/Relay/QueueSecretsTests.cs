using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.Relay;

/// <summary>The pubsub server's keys.</summary>
public sealed class QueueSecretsTests
{
    private const string AccessKey = "AKIDOFTHETEST";
    private const string SecretKey = "the-secret-key-of-the-queue";
    private const string SessionToken = "the-session-token-of-the-queue";

    [Fact]
    public async Task No_secret_of_the_queue_is_logged_or_sent_to_clients_at_any_log_level_even_when_calls_fail()
    {
        await using var queue = await ChildServer.StartAsync(
            SqsPrograms.LocalSqs.Command("--LocalSqs:AccessKey", AccessKey, "--LocalSqs:SecretKey", SecretKey), new ChildOptions(),
            CancellationToken.None);
        var secrets = new Dictionary<string, string>
        { ["Sqs__AccessKey"] = AccessKey, ["Sqs__SecretKey"] = SecretKey, ["Sqs__SessionToken"] = SessionToken };
        using var server = ServerProgram.Start(PubSubTarget.Program.Command(
            secrets, "--Sqs:Endpoint", queue.Address.ToString(), "--Sqs:WaitTime", "00:00:01", "--Sqs:MaxAttempts", "2", "--urls",
            "http://127.0.0.1:0",
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
}
