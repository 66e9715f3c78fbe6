using PubSubOverWs.Relay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.Relay.Sessions;

/// <summary>A client that sends without a pause does not keep the thread that its session runs on.</summary>
public sealed class TurnTests
{
    private const string Connect = "CONNECT\naccept-version:1.2\nhost:test\n\n\0";
    private const string Disconnect = "DISCONNECT\nreceipt:bye\n\n\0";

    // A turn is 64 frames or 64 KiB, and what one receive brought when that was reached.
    [Theory]
    [InlineData(10, 128)]
    [InlineData(20_000, 8)]
    public async Task A_session_with_much_to_act_on_lets_others_have_their_turn(int bodyBytes, int most)
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = OpenInTurns(server);
        var send = $"SEND\ndestination:/topic/t\n\n{new string('x', bodyBytes)}\0";
        await client.SendAsync(Connect + string.Concat(Enumerable.Repeat(send, 1_000)));

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

    // A turn takes 32 subscriptions off the lists, or closes 16 that each give a message back; one may do the last of the first and go on.
    [Fact]
    public async Task A_client_that_leaves_with_many_subscriptions_lets_others_have_their_turn()
    {
        await using var server = RelayHarness.Direct();
        var (client, turns) = OpenInTurns(server);
        await client.SendAsync(Connect + Subscribes(500) + Sends(500) + Disconnect);
        var most = 0;

        var largest = await turns.LargestAsync(() => Gone() + server.Meter.Drops["closed"], 900);

        Assert.InRange(largest, 1, 48);

        int Gone()
        {
            var open = server.Subscriptions.Destinations.Count;
            most = Math.Max(most, open);
            return most - open;
        }
    }

    [Fact]
    public async Task A_client_that_leaves_gets_nothing_by_those_of_its_subscriptions_that_are_still_there()
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = OpenInTurns(server);
        await client.SendAsync(Connect + Subscribes(100) + Disconnect);
        await turns.UntilAsync(() => server.Subscriptions.HasAny("/queue/99") && !server.Subscriptions.HasAny("/queue/0"));

        var outcome = server.Subscriptions.Deliver(FakeDelivery.To("/queue/99", "late"));

        turns.LetGo();
        await client.SessionEnded;
        Assert.Equal(DeliverOutcome.NoRoom, outcome);
    }

    [Fact]
    public async Task A_client_that_leaves_is_told_nothing_of_those_of_its_subscriptions_that_are_still_there()
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = OpenInTurns(server);
        await client.SendAsync(Connect + Subscribes(100) + Disconnect);
        await turns.UntilAsync(() => server.Subscriptions.HasAny("/queue/99") && !server.Subscriptions.HasAny("/queue/0"));

        server.Subscriptions.EndConnections(_ => true, "Something may be missing.");

        turns.LetGo();
        await client.ReceiveAsync(StompCommand.Connected);
        await client.ReceiveReceiptAsync("bye");
    }

    [Fact]
    public async Task A_client_that_answered_the_close_frame_is_not_cut_while_its_subscriptions_are_closed()
    {
        await using var server = FakeBroker.Serve(out _);
        var (client, turns) = OpenInTurns(server);
        await client.SendAsync(Connect + Subscribes(100));
        await turns.UntilAsync(() => server.Subscriptions.HasAny("/queue/99"));
        server.Subscriptions.EndConnections(name => name == "/queue/99", "Something may be missing.");
        await client.ReceiveAsync(StompCommand.Connected);
        await client.ReceiveAsync(StompCommand.Error);
        await client.ReceiveCloseAsync(isNext: true);
        await turns.UntilAsync(() => !server.Subscriptions.HasAny("/queue/0"));

        server.Advance(2 * server.Options.CloseTimeout);

        turns.LetGo();
        await client.SessionEnded;
        Assert.Equal(0, server.Meter.Connections.Cut);
    }

    private static string Subscribes(int count) => string.Concat(Enumerable.Range(0, count)
        .Select(i => $"SUBSCRIBE\nid:{i}\ndestination:/queue/{i}\nack:client\n\n\0"));

    private static string Sends(int count) => string.Concat(Enumerable.Range(0, count)
        .Select(i => $"SEND\ndestination:/queue/{i}\n\nx\0"));

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
            var (largest, had) = (0L, count());
            await UntilAsync(() =>
            {
                var has = count();
                largest = Math.Max(largest, has - had);
                had = has;
                return has >= until;
            });
            LetGo();
            return largest;
        }

        public Task UntilAsync(Func<bool> condition) => Waiting.UntilAsync(condition, between: Next);

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
    }
}
