namespace PubSubOverWs.PubSubServer;

/// <summary>Objects that the parts of one <see cref="QueueFlow"/> share.</summary>
/// <param name="Server">Shared with all flows of the server.</param>
/// <param name="Urls">The queue that is read, and where else its messages go.</param>
/// <param name="Leases">Messages that were received and are neither deleted nor released.</param>
/// <param name="Calls">Repeats calls until the flow ends.</param>
internal sealed record FlowContext(QueueContext Server, QueueUrls Urls, Leases Leases, PatientCalls Calls)
{
    public static FlowContext Of(QueueContext server, QueueUrls urls, CancellationToken stopped)
    {
        var (options, time) = (server.Options, server.Time);
        var leases = new Leases(time, options.VisibilityTimeout, options.MaxInFlight, server.Memory.InFlight);
        return new FlowContext(server, urls, leases, new PatientCalls(time, stopped));
    }
}
