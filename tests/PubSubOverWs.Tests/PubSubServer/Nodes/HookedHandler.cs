using System.Text;

namespace PubSubOverWs.Tests.PubSubServer;

/// <summary>A way to a queue on which a test acts before a call or after it. Calls are told by name, with their JSON behind it.</summary>
internal sealed class HookedHandler(HttpMessageHandler inner) : DelegatingHandler(inner)
{
    public Func<string, Task> Before { get; set; } = _ => Task.CompletedTask;

    public Func<string, Task> After { get; set; } = _ => Task.CompletedTask;

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        var call = request.Headers.GetValues("X-Amz-Target").Single()["AmazonSQS.".Length..]
            + Encoding.UTF8.GetString(await request.Content!.ReadAsByteArrayAsync(cancellationToken));
        await Before(call);
        var answer = await base.SendAsync(request, cancellationToken);
        await After(call);
        return answer;
    }
}
