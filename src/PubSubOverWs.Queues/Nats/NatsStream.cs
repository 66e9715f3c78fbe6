using System.Globalization;
using NATS.Client.JetStream.Models;

namespace PubSubOverWs.Queues;

/// <summary>What this client knows of one stream, and its subjects. Safe from any thread.</summary>
internal sealed class NatsStream(string name)
{
    public const string Consumer = "relay";

    // The due time, in milliseconds since 1970, is a part of the subject: a header would take room from a message of 1 MiB.
    private const char BeforeDue = '.';

    private long _visibility = TimeSpan.FromSeconds(30).Ticks;

    public string Name { get; } = name;

    /// <summary>Where a receive asks.</summary>
    public string Next { get; } = $"$JS.API.CONSUMER.MSG.NEXT.{name}.{Consumer}";

    /// <summary>An acknowledgement of a message that will never be there.</summary>
    public string NoMessage { get; } = $"$JS.ACK.{name}.{Consumer}.1.{long.MaxValue}.{long.MaxValue}.0.0";

    /// <summary>How long a message is hidden from others after it was received, as the consumer has it.</summary>
    public TimeSpan Visibility
    {
        get => new(Volatile.Read(ref _visibility));
        set => Volatile.Write(ref _visibility, value.Ticks);
    }

    /// <summary>The subject of a message that is due then; null: at once.</summary>
    public string Subject(DateTimeOffset? due) => due is { } time
        ? string.Create(CultureInfo.InvariantCulture, $"{Name}{BeforeDue}{time.ToUnixTimeMilliseconds()}")
        : Name;

    /// <summary>When the message of that subject is due; null: it was never sent for later.</summary>
    public static DateTimeOffset? DueOf(string subject) => subject.Split(BeforeDue) is [_, var due]
        ? DateTimeOffset.FromUnixTimeMilliseconds(long.Parse(due, CultureInfo.InvariantCulture))
        : null;

    /// <summary>A message; its id, and how often it was delivered, are in the address for its acknowledgement.</summary>
    /// <param name="early">How often it was delivered before it was due.</param>
    public static ReceivedMessage Read(string receipt, byte[] body, int early)
    {
        // $JS.ACK.STREAM.CONSUMER.COUNT.ID..., or $JS.ACK.DOMAIN.ACCOUNT.STREAM.CONSUMER.COUNT.ID... (ADR-15).
        var parts = receipt.Split('.');
        var at = parts.Length > 9 ? 6 : 4;
        var count = int.Parse(parts[at], CultureInfo.InvariantCulture);
        return new ReceivedMessage(parts[at + 1], receipt, body, Math.Max(1, count - early));
    }

    /// <summary>Asks for what is there, or for what comes first within that time: then the request ends (no_wait with expires).</summary>
    public static string Pull(int most, TimeSpan wait) => string.Create(
        CultureInfo.InvariantCulture, $$"""{"batch": {{most}}, "no_wait": true, "expires": {{Nanoseconds(wait)}}}""");

    /// <summary>Gives a message back, to come again after that time.</summary>
    public static string Later(TimeSpan hidden) => hidden > TimeSpan.Zero
        ? string.Create(CultureInfo.InvariantCulture, $$"""-NAK {"delay": {{Nanoseconds(hidden)}}}""")
        : "-NAK";

    public StreamConfig Config(TimeSpan duplicateWindow) => new(Name, [Name, $"{Name}{BeforeDue}*"])
    {
        Retention = StreamConfigRetention.Workqueue,
        Storage = StreamConfigStorage.File,
        // What was taken is never deleted for what comes later.
        Discard = StreamConfigDiscard.New,
        DuplicateWindow = duplicateWindow,
    };

    public static ConsumerConfig ConsumerConfig(TimeSpan visibility) => new(Consumer)
    {
        AckPolicy = ConsumerConfigAckPolicy.Explicit,
        AckWait = visibility,
        // Otherwise 1,000 messages that are hidden stop everybody; each server has its own bound.
        MaxAckPending = -1,
        MaxDeliver = -1,
        // Receives of all servers that wait.
        MaxWaiting = 4_096,
    };

    private static long Nanoseconds(TimeSpan time) => time.Ticks * TimeSpan.NanosecondsPerTick;
}
