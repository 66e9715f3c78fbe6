using PubSubOverWs.EndToEndTests.Node;

namespace PubSubOverWs.EndToEndTests.LocalSqs;

public sealed class AwsSdkForJavaScriptTests
{
    [NodeFact]
    public Task The_official_client_of_SQS_works_against_LocalSqs() => TestAsync("sqs.test.mjs");

    [NodeFact]
    public Task The_official_client_of_SNS_works_against_LocalSqs() => TestAsync("sns.test.mjs");

    private static async Task TestAsync(string file)
    {
        await using var server = await TestServers.QueueAsync();

        await NodeProject.TestAsync(file, ("SQS_ENDPOINT", server.Address.ToString()));
    }
}
