using System.Net;
using System.Net.Sockets;
using System.Text;
using PubSubOverWs.LoadTest.Experiments.Peers.Load;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.EndToEndTests.Load;

public sealed class SaturatingClientTests
{
    private const int BodyBytes = 100;

    [Fact]
    public async Task It_takes_all_that_is_there_in_one_read_so_that_a_slow_load_is_not_held_against_its_server()
    {
        const int messages = 64;
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        using var client = await CreateAsync(listener);
        var opening = Task.Factory.StartNew(client.Open, CancellationToken.None, TaskCreationOptions.LongRunning, TaskScheduler.Default);
        using var server = await listener.AcceptSocketAsync();
        await AcceptAsync(server);
        await opening;

        await server.SendAsync(Enumerable.Repeat(Frame(), messages).SelectMany(frame => frame).ToArray());
        await Waiting.UntilAsync(() => client.Socket.Available == messages * Frame().Length);

        Assert.Equal(messages, client.Receive());
    }

    [Fact]
    public async Task A_server_that_never_answers_does_not_hold_up_the_run()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        using var client = await CreateAsync(listener);
        client.Socket.ReceiveTimeout = 1;

        var error = Assert.Throws<ChildException>(client.Open);

        Assert.Contains("broke a connection of the load: no answer within 1 ms.", error.Message, StringComparison.Ordinal);
    }

    private static async Task<SaturatingClient> CreateAsync(TcpListener listener)
    {
        listener.Start();
        var target = await ClientTarget.ResolveAsync(new Uri($"http://{listener.LocalEndpoint}"), CancellationToken.None);
        return new SaturatingClient(target, new LoadShape(1, 1, BodyBytes, () => new EchoDialect(BodyBytes)), "", 0);
    }

    private static byte[] Frame() => [0x81, BodyBytes, .. new byte[BodyBytes]];

    // And the message with which the dialect connects comes back.
    private static async Task AcceptAsync(Socket server)
    {
        var (buffer, request) = (new byte[4096], "");
        while (!request.EndsWith("\r\n\r\n", StringComparison.Ordinal))
        {
            var count = await server.ReceiveAsync(buffer);
            Assert.NotEqual(0, count);
            request += Encoding.ASCII.GetString(buffer, 0, count);
        }
        const string name = "Sec-WebSocket-Key: ";
        var key = request.Split("\r\n").Single(line => line.StartsWith(name, StringComparison.OrdinalIgnoreCase))[name.Length..];
        await server.SendAsync(Encoding.ASCII.GetBytes(
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + $"Sec-WebSocket-Accept: {UpgradeKey.Accept(key)}\r\n\r\n"));
        await server.SendAsync(Frame());
    }
}
