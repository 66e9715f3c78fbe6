using System.Diagnostics;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.Interference.Load;

/// <summary>A client that sends requests and counts what is streamed to it meanwhile, over one connection or two.</summary>
public sealed class InterferenceLoad : ILoad
{
    private readonly InterferencePlan _plan;
    private readonly RequestLog _requests;
    private readonly StreamClient _asking;
    private readonly StreamClient _streaming;
    private StreamCount _from;

    public InterferenceLoad(InterferencePlan plan, ClientTarget target)
    {
        _plan = plan;
        _requests = new RequestLog(plan.Name, plan.Requests, plan.RequestBytes, Waiting);
        var stream = new StreamSettings(plan.Stream, plan.ChunkBytes).PathAndQuery;
        Func<string, RequestLog?, StreamClient> connect = plan.Sockets == Sockets.Http2
            ? new Http2Connection(target).Client
            : (pathAndQuery, requests) => new StreamConnection(target, pathAndQuery, requests);
        _asking = connect(plan.Sockets == Sockets.One ? stream : StreamSettings.Idle.PathAndQuery, _requests);
        _streaming = plan.Sockets == Sockets.One ? _asking : connect(stream, null);
        Participants = plan.Sockets == Sockets.One ? [_asking] : [_asking, _streaming];
    }

    public IReadOnlyList<IParticipant> Participants { get; }

    public Countdown Waiting { get; } = new(1);

    public LoadBounds Bounds => new(_plan.Deadline, LoadBounds.DefaultConnectsUnderWay, LoadBounds.DefaultGrace) { SendsExactly = true };

    /// <summary>A round trip takes a tenth of a millisecond.</summary>
    public long Sends => _plan.Requests;

    public TimeSpan DueAt(long send) => _plan.DueAt(send);

    public void Send(long send)
    {
        if (send == 0)
            _from = _streaming.Streamed;
        _asking.Send((int)send);
    }

    public Observed Observe(long start, long firstDue)
    {
        var observations = Enumerable.Range(0, _plan.Requests).Select(number =>
        {
            var (sent, received) = _requests[number];
            return new Observation(
                _requests.Id(number), 0, 0, Stopwatch.GetElapsedTime(start, firstDue) + _plan.DueAt(number), Time(sent), null, false,
                Time(received), _asking.Failure?.Cause ?? Cause.None);
        }).ToArray();
        ConnectFailure?[] failures = [_asking.Failure, _plan.Sockets == Sockets.One ? null : _streaming.Failure];
        return new Observed(observations, [_requests.Anomalies], 0, Observed.Count(failures, _plan.Name)) { Measures = Measures() };

        TimeSpan? Time(long? stamp) => stamp is { } at ? Stopwatch.GetElapsedTime(start, at) : null;
    }

    private Dictionary<string, double?> Measures()
    {
        var to = _streaming.StreamedInAll;
        var seconds = Stopwatch.GetElapsedTime(_from.Stamp, to.Stamp).TotalSeconds;
        var asked = _plan.Stream.BytesPerSecond;
        var arrived = (to.Bytes - _from.Bytes) / seconds;
        return new()
        {
            [InterferenceScenario.Asked.Name] = asked / 1e6,
            [InterferenceScenario.Arrived.Name] = arrived / 1e6,
            [InterferenceScenario.Share.Name] = _plan.Stream.IsIdle ? null : 100 * arrived / asked,
            [InterferenceScenario.Messages.Name] = (to.Messages - _from.Messages) / seconds,
        };
    }
}
