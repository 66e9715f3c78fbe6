namespace PubSubOverWs.Tests.Relay;

/// <summary>A client that sends without a pause does not keep the thread that its session runs on.</summary>
public sealed class TurnTests
{
    // A turn is 64 frames or 64 KiB, and what one receive brought when that was reached.
    [Theory]
    [InlineData(10, 128)]
    [InlineData(20_000, 8)]
    public async Task A_session_with_much_to_act_on_lets_others_have_their_turn(int bodyBytes, int most)
    {
        await using var server = RelayHarness.Direct();
        var turns = new Turns();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(turns);
        var client = server.Open();
        SynchronizationContext.SetSynchronizationContext(before);
        var send = $"SEND\ndestination:/topic/t\n\n{new string('x', bodyBytes)}\0";
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\n\n\0{string.Concat(Enumerable.Repeat(send, 1_000))}");

        var largest = 0L;
        while (server.Meter.Messages.In < 1_000)
        {
            var had = server.Meter.Messages.In;
            turns.Next();
            largest = Math.Max(largest, server.Meter.Messages.In - had);
        }
        turns.LetGo();
        Assert.InRange(largest, 1, most);
    }

    /// <summary>Runs one at a time, when the test says so.</summary>
    private sealed class Turns : SynchronizationContext
    {
        private readonly Lock _lock = new();
        private readonly Queue<Action> _waiting = [];
        private bool _isLetGo;

        public override void Post(SendOrPostCallback d, object? state)
        {
            lock (_lock)
            {
                if (!_isLetGo)
                {
                    _waiting.Enqueue(() => d(state));
                    return;
                }
            }
            ThreadPool.QueueUserWorkItem(_ => d(state));
        }

        public void Next()
        {
            Action? next;
            lock (_lock)
                _waiting.TryDequeue(out next);
            if (next is null)
            {
                Thread.Yield();
                return;
            }
            var before = Current;
            SetSynchronizationContext(this);
            next();
            SetSynchronizationContext(before);
        }

        /// <summary>What is left, and comes, runs by itself.</summary>
        public void LetGo()
        {
            lock (_lock)
            {
                _isLetGo = true;
                while (_waiting.TryDequeue(out var next))
                    ThreadPool.QueueUserWorkItem(_ => next());
            }
        }
    }
}
