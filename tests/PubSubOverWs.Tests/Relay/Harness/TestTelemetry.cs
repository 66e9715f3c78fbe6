using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Metrics;
using Microsoft.Extensions.DependencyInjection;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay;

/// <summary>
/// Listens to the spans of one trace, which clients begin with <see cref="TraceParent"/>, and to measurements. Tests run side by side, and
/// their servers have one source: no other trace is recorded.
/// </summary>
internal sealed class TestTelemetry : IDisposable
{
    private static readonly IMeterFactory Meters =
        new ServiceCollection().AddMetrics().BuildServiceProvider().GetRequiredService<IMeterFactory>();

    private readonly ActivityTraceId _trace = ActivityTraceId.CreateRandom();
    private readonly ActivityListener _spans;
    private readonly MeterListener _measurements = new();

    public TestTelemetry()
    {
        _spans = new ActivityListener
        {
            ShouldListenTo = source => source.Name == Conventions.Scope,
            Sample = (ref ActivityCreationOptions<ActivityContext> options) => options.Parent.TraceId == _trace
                ? ActivitySamplingResult.AllDataAndRecorded
                : ActivitySamplingResult.None,
            ActivityStopped = Spans.Enqueue,
        };
        ActivitySource.AddActivityListener(_spans);
        _measurements.InstrumentPublished = (instrument, listener) =>
        {
            if (instrument.Meter.Name == Conventions.Scope)
                listener.EnableMeasurementEvents(instrument);
        };
        _measurements.SetMeasurementEventCallback<double>(Note);
        _measurements.SetMeasurementEventCallback<long>(Note);
        _measurements.Start();
    }

    /// <summary>Of the client's own span.</summary>
    public string TraceParent => $"00-{_trace}-00f067aa0ba902b7-01";

    /// <summary>Those that ended.</summary>
    public ConcurrentQueue<Activity> Spans { get; } = [];

    /// <summary>Of the servers of all tests: instrument, value, values of its tags.</summary>
    public ConcurrentQueue<string> Measured { get; } = [];

    /// <summary>What a server in a test tells, if anybody listens.</summary>
    public static RelayTelemetry Of(TimeProvider time) => new(Meters, time);

    public void Dispose()
    {
        _spans.Dispose();
        _measurements.Dispose();
    }

    private void Note<T>(Instrument instrument, T value, ReadOnlySpan<KeyValuePair<string, object?>> tags, object? state) =>
        Measured.Enqueue($"{instrument.Name} {value} {string.Join(' ', tags.ToArray().Select(tag => tag.Value))}");
}
