using PubSubOverWs.LoadTest.Harness.Network;
using PubSubOverWs.Tests.Relay;

namespace PubSubOverWs.Tests.LoadTest.Harness.Network;

/// <summary>A link between two ends in memory, under a clock that stands still.</summary>
internal sealed class LinkRig : IDisposable
{
    private readonly CancellationTokenSource _ends = new();
    private long _passed;

    public LinkRig()
    {
        var (source, sender) = MemoryTransport.CreatePair();
        var (sink, receiver) = MemoryTransport.CreatePair();
        (Source, Sender, Sink, Receiver) = (source, sender, sink, receiver);
        Link = new Link(Source, Sink, Valve, new ProxyClock(Time), Passes);
        Reading = Task.Run(() => Link.ReadAsync(_ends.Token));
        Writing = Task.Run(() => Link.WriteAsync(_ends.Token));
    }

    public FakeTime Time { get; } = new();

    public Valve Valve { get; } = new();

    public Link Link { get; }

    /// <summary>The link reads from this; <see cref="Sender"/> is its other end.</summary>
    public MemoryTransport Source { get; }

    public MemoryTransport Sender { get; }

    /// <summary>The link writes to this; <see cref="Receiver"/> is its other end.</summary>
    public MemoryTransport Sink { get; }

    public MemoryTransport Receiver { get; }

    public Task Reading { get; }

    public Task<bool> Writing { get; }

    /// <summary>The thread that wrote last.</summary>
    public int WrittenBy { get; private set; }

    public long Passed => Interlocked.Read(ref _passed);

    public void Apply(params Toxic[] toxics) =>
        Link.Apply(ConnectionToxics.Draw(new ToxicSet(toxics, Seed: 1), 0, TimeSpan.Zero, atOpening: true).ToServer);

    public ValueTask SendAsync(byte[] bytes) => Sender.WriteAsync(bytes);

    /// <summary>Reads as much as this; the clock goes on by itself until it is there.</summary>
    public async Task<byte[]> ReceiveAsync(int count, TimeSpan step = default)
    {
        var bytes = new byte[count];
        var receiving = Receiver.ReadExactlyAsync(bytes).AsTask();
        await (step > TimeSpan.Zero ? receiving.WhileAsync(() => Time.Advance(step)) : receiving.Patiently());
        return bytes;
    }

    private void Passes(int bytes)
    {
        WrittenBy = Environment.CurrentManagedThreadId;
        Interlocked.Add(ref _passed, bytes);
    }

    public void Cut() => _ends.Cancel();

    public void Dispose()
    {
        Cut();
        Link.Dispose();
        _ends.Dispose();
    }
}
