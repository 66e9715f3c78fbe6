namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

/// <summary>What takes the orders of a load process without a network; by itself it never answers.</summary>
internal sealed class OrderTaker : HttpMessageHandler
{
    private readonly Lock _gate = new();
    private readonly List<string> _orders = [];

    /// <summary>By the name of the order.</summary>
    public Func<string, Task<HttpResponseMessage>> Answers { get; set; } = _ => new TaskCompletionSource<HttpResponseMessage>().Task;

    /// <summary>So far: path and body.</summary>
    public IReadOnlyList<string> Orders
    {
        get
        {
            lock (_gate)
                return [.. _orders];
        }
    }

    protected override async Task<HttpResponseMessage> SendAsync(HttpRequestMessage request, CancellationToken cancellationToken)
    {
        Assert.Equal(HttpMethod.Post, request.Method);
        var path = request.RequestUri!.AbsolutePath;
        var order = $"{path} {await request.Content!.ReadAsStringAsync(cancellationToken)}";
        lock (_gate)
            _orders.Add(order);
        return await Answers(path[1..]).WaitAsync(cancellationToken);
    }
}
