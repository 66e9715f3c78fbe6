using System.Text.Json.Serialization;

namespace PubSubOverWs.Relay;

/// <summary>The JSON of <c>/stats</c>: counters since the server started, so that two readings can be subtracted.</summary>
/// <param name="Server"><c>direct</c> or <c>pubsub</c>.</param>
/// <param name="UptimeMicroseconds">On the monotonic clock.</param>
/// <param name="BytesIn">Received in WebSocket messages, without framing.</param>
/// <param name="Drops">Messages given up, by <see cref="DropCause"/>.</param>
/// <param name="Buffered">Messages that the direct server keeps in memory until a subscriber can take them (<c>Direct:Buffer</c>); always 0
/// where nothing is kept there.</param>
/// <param name="TopicBacklogBytes">The memory of messages that wait for topic subscriptions without room.</param>
/// <param name="CpuMicroseconds">User and system time of this process.</param>
/// <param name="RssBytes">Resident memory of this process.</param>
/// <param name="GcHeapLimitBytes">The limit of the managed heap: its hard limit, or without one the memory of the machine or the
/// container.</param>
/// <param name="Collector">The garbage collector's mode: <c>server</c> or <c>workstation</c>, and <c>, concurrent</c>. On one core it is
/// the workstation's.</param>
/// <param name="GcPauseMicroseconds">For how long collections have stopped this process's threads.</param>
internal sealed record ServerStats(
    string Server,
    long UptimeMicroseconds,
    ConnectionStats Connections,
    LoginStats Logins,
    MessageStats Messages,
    long BytesIn,
    ByteStats BytesOut,
    IReadOnlyDictionary<string, long> Drops,
    int Buffered,
    long TopicBacklogBytes,
    long CpuMicroseconds,
    long RssBytes,
    long GcHeapBytes,
    long GcHeapLimitBytes,
    string Collector,
    int[] GcCollections,
    long GcPauseMicroseconds,
    QueueStats? Queue,
    MemoryStats Memory);

/// <param name="MostBytes">The most resident memory that clients can make this server take, with as many connections as it may
/// have.</param>
/// <param name="PerConnectionBytes">How much of it is for each of them.</param>
/// <param name="Parts">The parts of the rest.</param>
internal sealed record MemoryStats(long MostBytes, int Connections, long PerConnectionBytes, IReadOnlyDictionary<string, long> Parts);

/// <param name="Latest">What was said about the latest of them: one sentence.</param>
public sealed record FailedCalls(long Count, string Latest);

/// <param name="Refused">Handshakes answered with an HTTP error.</param>
/// <param name="Limited">Those of them that were one connection too many.</param>
/// <param name="Slow">Ended because they read too slowly.</param>
/// <param name="Cut">Closed before the client had answered the close frame: messages on their way to it may be lost.</param>
internal sealed record ConnectionStats(long Open, long Total, long Refused, long Limited, long Slow, long Cut);

/// <param name="Wrong">No such user, or another passcode.</param>
/// <param name="Busy">Refused without a look, for too many were being checked.</param>
/// <param name="LockedOut">Likewise, after too many wrong ones from their address.</param>
internal sealed record LoginStats(long Right, long Wrong, long Busy, long LockedOut);

/// <param name="In">SEND frames and raw relay messages taken in.</param>
/// <param name="Out">MESSAGE frames and raw relay messages that leave, or are about to; not those whose write failed.</param>
/// <param name="LateAcks">Acknowledgements of messages that were settled before.</param>
internal sealed record MessageStats(long In, long Out, long LateAcks);

/// <param name="Payload">Message bodies.</param>
/// <param name="Stomp">STOMP commands, headers, control frames and heart-beats.</param>
/// <param name="WebSocket">WebSocket framing and control frames.</param>
/// <param name="Total">All that was written after the upgrade.</param>
internal sealed record ByteStats(long Payload, long Stomp, long WebSocket, long Total);

[JsonSourceGenerationOptions(PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase)]
[JsonSerializable(typeof(ServerStats))]
internal sealed partial class ServerStatsJson : JsonSerializerContext;
