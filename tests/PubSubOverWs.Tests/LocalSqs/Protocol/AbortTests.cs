using System.Text;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class AbortTests(LocalSqsHost host) : IClassFixture<LocalSqsHost>
{
    [Fact]
    public async Task A_receive_whose_caller_is_gone_hides_nothing()
    {
        using var client = host.CreateClient();
        using var gone = new CancellationTokenSource();
        using var request = host.Request("ReceiveMessage", """{"QueueUrl":"$URL","WaitTimeSeconds":20}""");
        await LocalSqsHost.SignAsync(request);
        var poll = client.SendAsync(request, gone.Token);

        await gone.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => poll);
        await host.SendAsync("a");

        Assert.Equal("a", Encoding.UTF8.GetString(Assert.Single(await host.ReceiveAsync(TimeSpan.FromSeconds(20))).Body.Span));
    }
}
