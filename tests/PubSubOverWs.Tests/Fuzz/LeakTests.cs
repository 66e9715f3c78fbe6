using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>That a leak is found, and what was taken for one.</summary>
[Collection(nameof(QuietProcess))]
public sealed class LeakTests
{
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public async Task Memory_that_a_target_keeps_of_each_step_is_a_leak(bool leaks)
    {
        await using var target = new KeepingTarget(leaks);

        var figures = await FuzzRun.RunAsync(target, seed: 1, count: 1_000, target.ReadAliveAsync);

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

    // Of its own objects alone: the rest of the process shrinks and grows meanwhile.
    private sealed class KeepingTarget(bool keeps) : IFuzzTarget
    {
        private const int Bytes = 16_384;

        private readonly List<byte[]> _kept = [];
        private readonly List<WeakReference> _made = [];

        public string Name => "keeping";

        public string Unit => FuzzTargets.Frames;

        public Task<int> StepAsync(Draw draw)
        {
            var made = new byte[Bytes];
            _made.Add(new WeakReference(made));
            if (keeps)
                _kept.Add(made);
            return Task.FromResult(1);
        }

        /// <summary>At least one, as of a process that has something.</summary>
        public async Task<long> ReadAliveAsync()
        {
            await LiveBytes.ReadAsync(TimeSpan.Zero);
            return Math.Max(1, _made.Count(made => made.IsAlive)) * (long)Bytes;
        }

        public ValueTask DisposeAsync()
        {
            _kept.Clear();
            return ValueTask.CompletedTask;
        }
    }
}

/// <summary>Tests that read what the process has alive: nothing else runs meanwhile.</summary>
[CollectionDefinition(nameof(QuietProcess), DisableParallelization = true)]
public sealed class QuietProcess;
