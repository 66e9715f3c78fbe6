namespace PubSubOverWs.LoadTest.Bench;

/// <summary>What one saturating leg showed, from after its warm-up to its end. CPU is user and kernel time of the whole process.</summary>
/// <param name="Server">Who was under load: direct, pubsub, null-echo.</param>
/// <param name="Messages">That came back to their sender.</param>
/// <param name="Seconds">That were measured.</param>
/// <param name="ServerCpuSeconds">Of the server.</param>
/// <param name="QueueCpuSeconds">Of the queue; null: there was none.</param>
/// <param name="LoadCpuSeconds">Of this process.</param>
/// <param name="Missing">Messages that did not come back after the load had stopped.</param>
public sealed record Leg(
    string Server, long Messages, double Seconds, double ServerCpuSeconds, double? QueueCpuSeconds, double LoadCpuSeconds, int Missing)
{
    public double MessagesPerSecond => Messages / Seconds;

    public double ServerMicroseconds => 1e6 * ServerCpuSeconds / Messages;

    public double? QueueMicroseconds => 1e6 * QueueCpuSeconds / Messages;

    public double LoadMicroseconds => 1e6 * LoadCpuSeconds / Messages;
}
