using System.Buffers.Text;
using System.Diagnostics;
using PubSubOverWs.LoadTest.Experiments.Peers.Load.Dialects;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Experiments.Peers.Load;

/// <summary>One publisher and all subscribers of a destination, on one thread that asks all sockets at once which have something.</summary>
internal sealed class FanOutClients : IDisposable
{
    /// <summary>A delivery that takes longer, from when its message was due, is late.</summary>
    private static readonly TimeSpan InTime = TimeSpan.FromMilliseconds(100);

    private const double Share = 0.99;

    private static readonly TimeSpan Grain = TimeSpan.FromMilliseconds(1);

    private readonly SaturatingClient _publisher;
    private readonly Dictionary<Socket, SaturatingClient> _subscribers;

    // Messages of all steps so far: their numbers go on.
    private long _published;

    // Of the step that goes on.
    private long _came;
    private long _inTime;

    /// <param name="target">The server.</param>
    /// <param name="shape">Its connections are the subscribers.</param>
    /// <param name="destination">New: a server may still have messages for an earlier one.</param>
    /// <exception cref="ChildException">The server did not accept one.</exception>
    public FanOutClients(ClientTarget target, LoadShape shape, string destination)
    {
        _publisher = new SaturatingClient(target, shape, destination, 0);
        _subscribers = Enumerable.Range(1, shape.Connections)
            .Select(index => new SaturatingClient(target, shape, destination, index)).ToDictionary(client => client.Socket);
        try
        {
            _publisher.Connect();
            foreach (var subscriber in _subscribers.Values)
                subscriber.Open();
        }
        catch
        {
            Dispose();
            throw;
        }
    }

    /// <summary>A body that begins with the number of its message.</summary>
    public static byte[] NumberedBody(int bytes) => [.. Encoding.ASCII.GetBytes(FrameTrain.Digits.PadRight(bytes, 'x'))];

    /// <summary>So many of a step are late or missing at most, for the 99th percentile (nearest rank) to be in time.</summary>
    public static long MaxLate(long deliveries) => deliveries - (long)Math.Ceiling(Share * deliveries);

    /// <summary>Publishes at a steady rate. False: too many deliveries were late or missing, or the server cut a connection.</summary>
    /// <param name="rate">Deliveries a second.</param>
    /// <param name="length">From the first message to the last.</param>
    /// <param name="stopping">Ends it early.</param>
    public Task<bool> HoldsAsync(double rate, TimeSpan length, CancellationToken stopping) => Task.Factory.StartNew(
        () => Holds(rate / _subscribers.Count, length, stopping), CancellationToken.None, TaskCreationOptions.LongRunning,
        TaskScheduler.Default);

    public void Dispose()
    {
        _publisher.Dispose();
        foreach (var subscriber in _subscribers.Values)
            subscriber.Dispose();
    }

    private bool Holds(double perSecond, TimeSpan length, CancellationToken stopping)
    {
        var first = _published;
        var messages = Math.Max(1, (long)(perSecond * length.TotalSeconds));
        var deliveries = messages * _subscribers.Count;
        var start = Stopwatch.GetTimestamp();
        TimeSpan Due(long number) => TimeSpan.FromSeconds((number - 1 - first) / perSecond);
        _came = 0;
        _inTime = 0;
        try
        {
            while (_came < deliveries && Stopwatch.GetElapsedTime(start) < Due(first + messages) + (2 * InTime)
                && !stopping.IsCancellationRequested)
            {
                while (_published < first + messages && Due(_published + 1) <= Stopwatch.GetElapsedTime(start)
                    && _publisher.Socket.Poll(TimeSpan.Zero, SelectMode.SelectWrite))
                {
                    _publisher.Send(1);
                    _published++;
                }

                Read(start, first, Due);
            }
        }
        catch (ChildException)
        {
            return false;
        }

        return deliveries - _inTime <= MaxLate(deliveries);
    }

    private void Read(long start, long first, Func<long, TimeSpan> due)
    {
        var ready = new List<Socket>(_subscribers.Keys);
        Socket.Select(ready, null, null, Grain);
        foreach (var socket in ready)
        {
            var now = Stopwatch.GetElapsedTime(start);
            _subscribers[socket].Receive(body =>
            {
                if (!Utf8Parser.TryParse(body[..FrameTrain.Digits.Length], out long number, out _))
                    throw new ChildException("A message of the fan-out came back without its number.");
                if (number <= first)
                    return; // Late, of the step before.
                _came++;
                if (now - due(number) < InTime)
                    _inTime++;
            });
        }
    }
}
