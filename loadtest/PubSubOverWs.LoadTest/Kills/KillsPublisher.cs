using System.Globalization;
using PubSubOverWs.LoadTest.Clients;
using PubSubOverWs.LoadTest.Nodes;
using PubSubOverWs.LoadTest.Workloads.OneWay;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.LoadTest.Kills;

/// <summary>
/// Publishes its share of the messages, each when it is due or as soon after as there is room. When its connection ends it comes back, and
/// what had no receipt goes again with the same id.
/// </summary>
/// <param name="target">The server.</param>
/// <param name="backoff">When it tries again.</param>
/// <param name="plan">What is to be published, and when.</param>
/// <param name="first">The first of its share; every so many-th belongs to it as there are publishers.</param>
/// <param name="taken">By number: set when the server says that it took the message.</param>
/// <param name="again">By number: set before the message is published again.</param>
internal sealed class KillsPublisher(ClientTarget target, Backoff backoff, KillsPlan plan, int first, bool[] taken, bool[] again)
    : ReturningClient(target, backoff, plan.ConnectTimeout)
{
    private const int BodyBytes = 100;

    private readonly Lock _gate = new();
    private readonly PublishOrder _order = new((plan.Messages - first + plan.Publishers - 1) / plan.Publishers, plan.MostUnanswered);
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private StompConnection? _here;
    private int _sent;

    /// <summary>How often a message went again: the server may have taken it before.</summary>
    public int PublishedAgain { get; private set; }

    /// <summary>Completes when the whole share was answered.</summary>
    /// <param name="started">When the first message of all is due, on the time line of <paramref name="time"/>.</param>
    public async Task RunAsync(long started, TimeProvider time, CancellationToken stopping)
    {
        for (var number = first; number < plan.Messages; number += plan.Publishers)
        {
            if (plan.DueAt(number) - time.GetElapsedTime(started) is var early && early > TimeSpan.Zero)
                await Task.Delay(early, time, stopping);
            lock (_gate)
            {
                _order.BecomesDue();
                SendWhatMay();
            }
        }
        if (first < plan.Messages)
            await _done.Task.WaitAsync(stopping);
    }

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) => Task.FromResult<ConnectFailure?>(null);

    protected override void Arrived(StompConnection connection)
    {
        lock (_gate)
        {
            _here = connection;
            _order.StartOver();
            SendWhatMay();
        }
    }

    protected override void Lost(string? why)
    {
        lock (_gate)
            _here = null;
    }

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        if (frame.Command != StompCommand.Receipt)
            return;
        var number = int.Parse(frame.GetString(StompNames.ReceiptId)!, NumberStyles.None, CultureInfo.InvariantCulture);
        lock (_gate)
        {
            taken[number] = frame.GetString("outcome"u8) == "taken";
            _order.Answered((number - first) / plan.Publishers);
            SendWhatMay();
            if (_order.IsDone)
                _done.TrySetResult();
        }
    }

    // Who listens learns of a connection's end; then all that has no answer goes again.
    private void SendWhatMay()
    {
        while (_here is { } connection && _order.TryNext(out var sequence))
        {
            var number = first + (sequence * plan.Publishers);
            if (sequence < _sent)
            {
                again[number] = true;
                PublishedAgain++;
            }
            _sent = Math.Max(_sent, sequence + 1);
            var id = number.ToString(CultureInfo.InvariantCulture);
            if (!connection.TrySend(
                StompMessages.Send(plan.DestinationOf(number), id, Payload.Write(BodyBytes, id, user: 0, number), receipt: id)))
                return;
        }
    }
}

/// <summary>Subscribes, counts and acknowledges what comes, and comes back and subscribes again when its connection ends.</summary>
internal sealed class KillsSubscriber(ClientTarget target, Backoff backoff, KillsPlan plan, int index, Tally tally)
    : ReturningClient(target, backoff, plan.ConnectTimeout)
{
    private readonly byte[] _subscribe = StompMessages.Subscribe("s", plan.DestinationOf(index), "client-individual");

    protected override Task<ConnectFailure?> GreetAsync(StompConnection connection) =>
        connection.SubscribeAsync(_subscribe, (frame, stamp) => Take(connection, frame, stamp));

    protected override void Take(StompConnection connection, StompFrame frame, long stamp)
    {
        if (frame.Command != StompCommand.Message)
            return;
        tally.Count(frame);
        if (frame.TryGet(StompNames.Ack, out var id))
            connection.TrySend(StompMessages.Ack(id));
    }

    protected override void Arrived(StompConnection connection)
    {
        // What was kept for it comes by itself.
    }

    protected override void Lost(string? why)
    {
        // What was not acknowledged comes again.
    }
}
