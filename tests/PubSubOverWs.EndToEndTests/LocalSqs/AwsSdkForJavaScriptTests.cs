using PubSubOverWs.EndToEndTests.Node;
using PubSubOverWs.LoadTest.Load.Children;

namespace PubSubOverWs.EndToEndTests.LocalSqs;

public sealed class AwsSdkForJavaScriptTests
{
    [NodeFact]
    public async Task The_official_client_of_SQS_works_against_LocalSqs()
    {
        await using var server = await ChildServer.StartAsync(ChildCommand.LocalSqs(), new ChildOptions(), CancellationToken.None);

        await NodeProject.TestAsync("sqs.test.mjs", ("SQS_ENDPOINT", server.Address.ToString()));
    }
}
