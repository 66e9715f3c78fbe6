namespace PubSubOverWs.LoadTest.Experiments.Peers;

/// <summary>The servers of this program in several forms, and servers that others wrote.</summary>
public static class PeersArms
{
    /// <summary>The target of arms whose servers the experiment starts itself: direct ones, an echo and those of others.</summary>
    public const string Peer = "peer";

    /// <summary>The target of LocalSqs and others without a server before them.</summary>
    public const string Queue = "queue";

    /// <summary>Another queue server, at an address.</summary>
    public const string OtherQueue = "other-queue";

    /// <summary>What a server on Kestrel costs that only sends back.</summary>
    public const string Echo = "echo";

    public const string Nats = "nats";

    public const string Mosquitto = "mosquitto";

    public const string Nchan = "nchan";

    public const string Ws = "ws";

    public const string LocalSqs = "localsqs";

    /// <summary>LocalSqs, whose load uses the AWS SDK.</summary>
    public const string ThroughSdk = "localsqs+sdk";

    // Of arms whose servers are of another build.
    private const string BaseSuffix = "+base";

    private static readonly Arm[] Built =
    [
        new(Relays.Direct, Peer),
        new(Relays.Lean.Name, Peer) { About = Relays.Lean.About },
        Relays.Find(Relays.PubSub)!,
        Relays.LeanPubSub,
        Relays.Unpacked,
        new(LocalSqs, Queue) { About = "the embedded queue by itself" },
    ];

    public static IReadOnlyList<Arm> All { get; } =
    [
        .. Built,
        new(ThroughSdk, Queue) { About = "the same, through the AWS SDK" },
        .. Built.Select(arm => arm with { Name = arm.Name + BaseSuffix, About = $"{arm.Name} of the build that the key base names" }),
        new(Echo, Peer) { About = "a bare echo on Kestrel" },
        new(Nats, Peer) { About = "nats-server, which speaks its own protocol over WebSockets" },
        new(Mosquitto, Peer) { About = "MQTT 3.1.1 over WebSockets" },
        new(Nchan, Peer) { About = "nginx with nchan" },
        new(Ws, Peer) { About = "an echo on ws and Node.js" },
        new(OtherQueue, Queue) { About = "the queue server at the address that the key otherQueue names" },
    ];

    /// <summary>Each server against its other forms, against the same of another build, and against those of others.</summary>
    public static IReadOnlyList<Contrast> Contrasts { get; } =
    [
        new(Relays.Direct, Relays.Lean.Name),
        new(Relays.PubSub, Relays.LeanPubSub.Name),
        new(Relays.PubSub, Relays.Unpacked.Name),
        new(LocalSqs, ThroughSdk),
        new(OtherQueue, LocalSqs),
        .. Built.Select(arm => new Contrast(arm.Name + BaseSuffix, arm.Name)),
        .. from other in new[] { Echo, Nats, Mosquitto, Nchan, Ws }
           from own in new[] { Relays.Direct, Relays.Lean.Name }
           select new Contrast(other, own),
    ];

    /// <summary>True: its servers are of another build.</summary>
    public static bool IsBase(Arm arm) => arm.Name.EndsWith(BaseSuffix, StringComparison.Ordinal);

    /// <summary>True: it has TLS and users.</summary>
    public static bool CanBeSecure(Arm arm) =>
        Current(arm).Name is Relays.Direct or Echo or Nats || Current(arm).Name == Relays.Lean.Name;

    /// <summary>The same of this build.</summary>
    public static Arm Current(Arm arm) => IsBase(arm) ? arm with { Name = arm.Name[..^BaseSuffix.Length] } : arm;
}
