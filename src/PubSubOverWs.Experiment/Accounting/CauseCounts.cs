namespace PubSubOverWs.Experiment.Accounting;

/// <summary>How many attempts were not delivered, by cause.</summary>
public sealed record CauseCounts(
    long ConnectRefused = 0,
    long ConnectTimeout = 0,
    long HandshakeRejected = 0,
    long SendError = 0,
    long Shed = 0,
    long NoSubscriber = 0,
    long ServerClosed = 0,
    long Deadline = 0)
{
    public long Total => ConnectRefused + ConnectTimeout + HandshakeRejected + SendError + Shed + NoSubscriber + ServerClosed + Deadline;

    public long this[Cause cause] => cause switch
    {
        Cause.ConnectRefused => ConnectRefused,
        Cause.ConnectTimeout => ConnectTimeout,
        Cause.HandshakeRejected => HandshakeRejected,
        Cause.SendError => SendError,
        Cause.Shed => Shed,
        Cause.NoSubscriber => NoSubscriber,
        Cause.ServerClosed => ServerClosed,
        Cause.Deadline => Deadline,
        _ => 0,
    };

    public CauseCounts Add(CauseCounts other) => new(
        ConnectRefused + other.ConnectRefused,
        ConnectTimeout + other.ConnectTimeout,
        HandshakeRejected + other.HandshakeRejected,
        SendError + other.SendError,
        Shed + other.Shed,
        NoSubscriber + other.NoSubscriber,
        ServerClosed + other.ServerClosed,
        Deadline + other.Deadline);
}
