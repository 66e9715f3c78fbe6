using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Delivering;

public sealed class OutboxTests
{
    [Fact]
    public async Task A_broker_that_fails_when_it_is_told_of_room_is_logged_and_ends_the_session()
    {
        await using var server = FakeBroker.Serve(out var broker, options => options.OutboxFrames = 1);
        var client = await server.SubscriberAsync("/queue/a");
        await server.RestAsync();
        var (taken, refused) = (FakeDelivery.To("/queue/a", "taken"), FakeDelivery.To("/queue/a", "refused"));
        List<Outbox> filled = [];
        Outbox.Collect(filled);
        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(taken));
        Assert.Equal(DeliverOutcome.NoRoom, server.Subscriptions.Deliver(refused));
        Outbox.Collect(null);
        broker.OnRoom = () =>
        {
            broker.OnRoom = () => { };
            throw new InvalidOperationException("The broker is broken.");
        };

        Assert.Single(filled).Execute();

        await client.SessionEnded;
        Assert.Equal(["settled"], taken.Ends);
        Assert.Contains("The broker is broken.", Assert.Single(server.Log.Errors), StringComparison.Ordinal);
    }

    [Fact]
    public async Task A_message_is_counted_before_a_client_can_have_it_and_no_more_once_its_write_has_failed()
    {
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a");
        await server.RestAsync();
        var (before, whole) = (server.Meter.BytesOut, client.ServerTransport.BytesWritten);
        client.ServerTransport.Stall();

        Assert.Equal(DeliverOutcome.Taken, server.Subscriptions.Deliver(FakeDelivery.To("/queue/a", "body")));
        await client.ServerTransport.WriteWaits;

        var counted = server.Meter.BytesOut;
        Assert.Equal(1, server.Meter.Messages.Out);
        Assert.Equal(client.ServerTransport.BytesWritten - whole, counted.Total - before.Total);
        // One frame with a head of two bytes.
        Assert.Equal((4, 2), (counted.Payload - before.Payload, counted.WebSocket - before.WebSocket));

        client.ServerTransport.Break();
        await client.SessionEnded;
        Assert.Equal((0, before.Payload), (server.Meter.Messages.Out, server.Meter.BytesOut.Payload));
    }

    [Fact]
    public async Task An_outbox_that_is_filled_while_it_is_drained_does_not_keep_the_thread_that_drains_it()
    {
        const int messages = 1_000;
        await using var server = FakeBroker.Serve(out _);
        var client = await server.SubscriberAsync("/queue/a");
        await server.RestAsync();
        List<Outbox> filled = [];
        Outbox.Collect(filled);
        var (settled, settledHere, thread) = (0, 0, 0);
        DeliverNext();
        Outbox.Collect(null);

        await Task.Run(() =>
        {
            thread = Environment.CurrentManagedThreadId;
            Assert.Single(filled).Execute();
            Volatile.Write(ref thread, 0);
        });

        await Waiting.UntilAsync(() => Volatile.Read(ref settled) == messages);
        Assert.InRange(settledHere, 1, messages / 10);

        // Another session sends the next one as soon as one has left.
        void DeliverNext() => Assert.Equal(
            DeliverOutcome.Taken, server.Subscriptions.Deliver(new Followed(FakeDelivery.To("/queue/a", "a").Message, OnSettled)));

        void OnSettled()
        {
            settledHere += Volatile.Read(ref thread) == Environment.CurrentManagedThreadId ? 1 : 0;
            if (Volatile.Read(ref settled) < messages - 1)
                DeliverNext();
            Interlocked.Increment(ref settled);
        }
    }

    private sealed class Followed(Message message, Action onSettled) : Delivery(message)
    {
        protected internal override void OnSettled() => onSettled();

        protected internal override void OnGivenBack(GiveBackReason reason)
        {
        }
    }
}
