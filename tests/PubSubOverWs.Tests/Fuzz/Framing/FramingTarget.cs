namespace PubSubOverWs.Tests.Fuzz.Framing;
internal sealed class FramingTarget : IFuzzTarget
{
    public const string Id = "framing";
    public static Task<FramingTarget> StartAsync() => Task.FromResult(new FramingTarget());
    public string Name => Id;
    public string Unit => FuzzTargets.Connections;
    public Task<int> StepAsync(Draw draw) => Task.FromResult(1);
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
