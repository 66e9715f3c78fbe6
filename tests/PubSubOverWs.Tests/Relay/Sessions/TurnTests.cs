namespace PubSubOverWs.Tests.Relay.Sessions;

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
        var (client, turns) = OpenInTurns(server);
        var send = $"SEND\ndestination:/topic/t\n\n{new string('x', bodyBytes)}\0";
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\n\n\0{string.Concat(Enumerable.Repeat(send, 1_000))}");

        Assert.InRange(await turns.LargestAsync(() => server.Meter.Messages.In, 1_000), 1, most);
    }

    [Fact]
    public async Task A_session_that_ended_and_whose_client_goes_on_sending_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = OpenInTurns(server);
        await client.SendAsync("NONSENSE\n\n\0");
        await client.SendAsync(new string('x', 8 << 20));

        Assert.InRange(await turns.LargestAsync(() => client.ServerTransport.BytesRead, 8 << 20), 1, 128 * 1024);
    }

    // A turn closes 32.
    [Fact]
    public async Task A_client_that_leaves_with_many_subscriptions_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = OpenInTurns(server);
        var subscribe = Enumerable.Range(0, 500).Select(i => $"SUBSCRIBE\nid:{i}\ndestination:/topic/{i}\n\n\0");
        await client.SendAsync($"CONNECT\naccept-version:1.2\nhost:test\n\n\0{string.Concat(subscribe)}DISCONNECT\n\n\0");
        var most = 0;

        // The last that it subscribes to may be closed in the turn that began with them.
        Assert.InRange(await turns.LargestAsync(Closed, 400), 1, 32);

        long Closed()
        {
            var open = server.Subscriptions.Destinations.Count;
            most = Math.Max(most, open);
            return most - open;
        }
    }

    private static (StompTestClient Client, Turns Turns) OpenInTurns(RelayHarness server)
    {
        var turns = new Turns();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(turns);
        var client = server.Open();
        SynchronizationContext.SetSynchronizationContext(before);
        return (client, turns);
    }

    /// <summary>Runs one at a time, when the test says so.</summary>
    private sealed class Turns : SynchronizationContext
    {
        private readonly Lock _lock = new();
        private readonly Queue<Action> _waiting = [];
        private bool _isLetGo;

        /// <summary>By how much the count grew most in a turn, until it is reached; then what is left, and comes, runs by itself.</summary>
        public async Task<long> LargestAsync(Func<long> count, long until)
        {
            var largest = 0L;
            await Waiting.UntilAsync(() => count() >= until, between: () =>
            {
                var had = count();
                Next();
                largest = Math.Max(largest, count() - had);
            });
            LetGo();
            return largest;
        }

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

        private void Next()
        {
            Action? next;
            lock (_lock)
                _waiting.TryDequeue(out next);
            if (next is null)
                return;
            var before = Current;
            SetSynchronizationContext(this);
            next();
            SetSynchronizationContext(before);
        }

        private void LetGo()
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
