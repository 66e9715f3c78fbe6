namespace PubSubOverWs.Tests.Fuzz;
internal sealed class SessionTarget : IFuzzTarget
{
    public const string Id = "session";
    public string Name => Id;
    public string Unit => FuzzTargets.Frames;
    public Task<int> StepAsync(Draw draw) => Task.FromResult(1);
    public ValueTask DisposeAsync() => ValueTask.CompletedTask;
}
