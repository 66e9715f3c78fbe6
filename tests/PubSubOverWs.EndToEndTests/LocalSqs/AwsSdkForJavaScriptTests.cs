using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.EndToEndTests.LocalSqs;

public sealed class AwsSdkForJavaScriptTests
{
    [NodeFact]
    public Task The_official_client_of_SQS_works_against_LocalSqs() => TestAsync("sqs.test.mjs");

    [NodeFact]
    public Task The_official_client_of_SNS_works_against_LocalSqs() => TestAsync("sns.test.mjs");

    private static async Task TestAsync(string file)
    {
        await using var server = await ChildServer.StartAsync(SqsPrograms.LocalSqs.Command(), new ChildOptions(), CancellationToken.None);

        await NodeProject.TestAsync(file, ("SQS_ENDPOINT", server.Address.ToString()));
    }
}
