using PubSubOverWs.LoadTest.Harness.Processes;
using PubSubOverWs.LoadTest.Harness.Workers;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.Tests.LoadTest.Harness.Workers;

/// <summary>A load process that takes orders without a network; by itself it never answers.</summary>
internal sealed class OrderTaker : HttpMessageHandler, ILoadProcess
{
    private readonly Lock _gate = new();
    private readonly List<string> _orders = [];
    private readonly TaskCompletionSource<WorkerEnd> _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>By the name of the order.</summary>
    public Func<string, Task<HttpResponseMessage>> Answers { get; set; } = _ => new TaskCompletionSource<HttpResponseMessage>().Task;

    /// <summary>What its clock is found to show, each time; none: it is that of the run.</summary>
    public Queue<ClockReading> Clock { get; } = [];

    /// <summary>So far: path and body.</summary>
    public IReadOnlyList<string> Orders
    {
        get
        {
            lock (_gate)
                return [.. _orders];
        }
    }

    public string Name => "load";

    public ProcessUse? Use => null;

    public Task<WorkerEnd> Ended => _ended.Task;

    public bool HasOwnClock => Clock.Count > 0;

    public void End(string what, string more = "") => _ended.SetResult(new WorkerEnd(what, more));

    public void Broke(string why)
    {
    }

    public HttpClient Connect() => new(this, disposeHandler: false) { BaseAddress = new Uri("http://127.0.0.1:1") };

    public Task<ClockReading?> ReadClockAsync(CancellationToken cancellationToken) =>
        Task.FromResult(Clock.TryDequeue(out var reading) ? reading : null);

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
