using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>That a leak is found, and what was taken for one.</summary>
[Collection(nameof(QuietProcess))]
public sealed class LeakTests
{
    private const int Steps = 4_000;

    [Theory]
    [InlineData(16_384, true)]
    [InlineData(0, false)]
    public async Task What_a_target_keeps_of_each_step_is_a_leak(int kept, bool leaks)
    {
        await using var target = new KeepingTarget(kept);

        var figures = await FuzzRun.RunAsync(target, seed: 1, Steps, TimeSpan.Zero);

        Assert.True(leaks == figures.Leaks, $"{figures}");
    }

    [Theory]
    [InlineData(104_900, false)]
    [InlineData(105_100, true)]
    public void Five_in_a_hundred_beyond_the_first_part_are_a_leak_however_little_that_is(long end, bool leaks)
    {
        var figures = new FuzzFigures("any", FuzzTargets.Frames, 1, 1, TimeSpan.FromSeconds(1), [100_000, 200_000, end]);

        Assert.Equal(leaks, figures.Leaks);
    }

    /// <summary>The session target grew by the servers of its steps: threads that had entered them kept them.</summary>
    [Fact]
    public async Task Sessions_that_have_ended_keep_nothing_of_their_server()
    {
        var server = await ServeAsync();

        for (var tries = 100; server.IsAlive && tries > 0; tries--)
            await LiveBytes.ReadAsync(TimeSpan.Zero);

        Assert.False(server.IsAlive);
    }

    private static async Task<WeakReference> ServeAsync()
    {
        await using var server = RelayHarness.Direct();
        var client = await server.ConnectAsync();
        await client.SubscribeAsync("/queue/a", "1");
        await client.PublishAsync("/queue/a", "body");
        await client.ReceiveMessageAsync("body");
        await client.LeaveAsync();
        return new WeakReference(server);
    }

    private sealed class KeepingTarget(int kept) : IFuzzTarget
    {
        private readonly List<byte[]> _kept = [];

        public string Name => "keeping";

        public string Unit => FuzzTargets.Frames;

        public Task<int> StepAsync(Draw draw)
        {
            if (kept > 0)
                _kept.Add(new byte[kept]);
            return Task.FromResult(1);
        }

        public ValueTask DisposeAsync() => ValueTask.CompletedTask;
    }
}
