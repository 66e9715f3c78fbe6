using Microsoft.Extensions.Options;

namespace PubSubOverWs.Relay;

/// <summary>The most memory of connections, and of the parts that they share.</summary>
internal static class RelayMemory
{
    /// <summary>Bytes of a client that wait for the session to read them.</summary>
    public const int ReadBuffer = 64 * 1024;

    /// <summary>Bytes that wait for the operating system to take them; one more write may wait behind them.</summary>
    public const int WriteBuffer = 64 * 1024;

    // A message that waits, and three copies while it is written: encoded, in one write with others, and in the transport.
    private const int CopiesWritten = 4;

    // Small messages of one write, in arrays of twice that.
    private const int WriteOfSmall = (2 * 2 * FrameBatch.EnoughBytes) + FrameBatch.EnoughBytes;

    // An idle connection, measured (bench idle), with the session's own objects.
    private const int Idle = 24 * 1024;

    // Of outbox, unacknowledged and sent each.
    private const int Owns = 3 * MemoryBudget.Own;

    public static void Add(IServiceCollection services)
    {
        Add(services, options => new MemoryShare(
            "outboxes", CopiesWritten * options.OutboxBytesTotal, WriteBuffer + WriteOfSmall + Outbox.MostAnswers));
        Add(services, options => new MemoryShare("unacknowledged", options.UnacknowledgedBytesTotal));
        Add(services, options => new MemoryShare("sent", options.SentBytesTotal, ReadBuffer + (sizeof(char) * options.MaxHeaderBytes)));
        Add(services, options => new MemoryShare("topic backlogs", options.TopicBacklogBytesTotal));
        Add(services, _ => new MemoryShare("connections", 0, Idle + Owns));
    }

    private static void Add(IServiceCollection services, Func<RelayOptions, MemoryShare> share) =>
        services.AddSingleton(provider => share(provider.GetRequiredService<IOptions<RelayOptions>>().Value));
}
