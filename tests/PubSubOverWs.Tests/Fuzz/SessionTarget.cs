using System.Collections.Concurrent;
using System.Net.WebSockets;
using System.Text;
using PubSubOverWs.Relay;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>
/// Frames in any order into sessions that share a broker of chance: each goes on or ends with one ERROR and a close, and every message that
/// a subscriber took is settled or given back exactly once.
/// </summary>
internal sealed class SessionTarget : IFuzzTarget
{
    public const string Id = "session";

    public string Name => Id;

    public string Unit => FuzzTargets.Frames;

    public async Task<int> StepAsync(Draw draw)
    {
        var (published, deliveries) = (0, new ConcurrentQueue<(FakeDelivery Delivery, DeliverOutcome Outcome)>());
        var server = FakeBroker.Serve(
            out var broker, options => (options.MaxTransactions, options.MaxSubscriptions, options.PrefetchCount) = (2, 3, 2));
        broker.OnPublish = publish =>
        {
            Interlocked.Add(ref published, publish.Messages.Count);
            var body = Encoding.UTF8.GetString(publish.Messages[0].Body.Span);
            if (body is "refuse")
            {
                publish.Refuse("No.");
                return;
            }
            foreach (var message in publish.Messages)
            {
                var delivery = new FakeDelivery(message);
                deliveries.Enqueue((delivery, server.Subscriptions.Deliver(delivery)));
            }
            if (body is "late")
                ThreadPool.QueueUserWorkItem(_ => publish.Take());
            else
                publish.Take();
        };
        var frames = 0;
        await using (server)
        {
            List<Task> talks = [];
            for (var clients = draw.Between(1, 3); clients > 0; clients--)
            {
                var kind = draw.Of(WebSocketMessageType.Text, WebSocketMessageType.Binary);
                var client = server.Open(kind);
                var count = draw.Between(1, 40);
                var bytes = Encoding.UTF8.GetBytes(new SessionScript(draw, $"{server.Node}.{talks.Count + 1}").Write(count));
                // All is drawn before anything runs beside something else.
                var pieces = draw.Pieces(draw.OneIn(10) ? draw.Mutate(bytes, FrameDraw.Meaningful) : bytes)
                    .Select(piece => (piece.ToArray(), IsWhole: draw.OneIn(3))).ToArray();
                talks.Add(TalkAsync(client, kind, pieces));
                frames += count;
            }
            await Task.WhenAll(talks);
        }
        Assert.Empty(server.Log.Errors);
        Assert.Equal(published, server.Meter.Messages.In);
        Assert.All(deliveries, one => Assert.Equal(one.Outcome == DeliverOutcome.Taken ? 1 : 0, one.Delivery.Ends.Count));
        var bytesOut = server.Meter.BytesOut;
        Assert.True(bytesOut is { Payload: >= 0, Stomp: >= 0, WebSocket: >= 0 }, $"{bytesOut}");
        return frames;
    }

    public ValueTask DisposeAsync() => ValueTask.CompletedTask;

    private static async Task TalkAsync(StompTestClient client, WebSocketMessageType kind, (byte[] Bytes, bool IsWhole)[] pieces)
    {
        var listening = ListenAsync(client);
        try
        {
            foreach (var (bytes, isWhole) in pieces)
                await client.SendAsync(bytes, kind, isWhole);
            await client.CloseAsync();
        }
        catch (Exception ended) when (ended is WebSocketException or IOException or ObjectDisposedException or InvalidOperationException)
        {
            // It ended the session before all was said.
        }
        await listening;
        await client.SessionEnded;
    }

    // One frame is one WebSocket message; the command says enough.
    private static async Task ListenAsync(StompTestClient client)
    {
        var hasError = false;
        try
        {
            while (client.Socket.State is WebSocketState.Open or WebSocketState.CloseSent)
            {
                var (_, bytes) = await client.ReceiveMessageAsync();
                Assert.False(hasError, "Something came after an ERROR.");
                hasError = bytes.AsSpan().StartsWith("ERROR\n"u8);
            }
        }
        catch (Exception ended) when (ended is WebSocketException || client.Socket.CloseStatus is not null)
        {
            // The close frame, or a cut where it said a WebSocket message wrongly.
        }
        Assert.True(
            !hasError || client.Socket.CloseStatus == WebSocketCloseStatus.PolicyViolation,
            $"After an ERROR it closed with {client.Socket.CloseStatus}.");
    }
}
