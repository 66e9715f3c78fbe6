using PubSubOverWs.LoadTest.Network.Toxics;

namespace PubSubOverWs.LoadTest.Network.Control;

/// <summary>Something that a proxy is to do.</summary>
/// <param name="Do">What.</param>
public sealed record ProxyOrder(OrderKind Do)
{
    private static readonly TimeSpan Latest = TimeSpan.FromDays(1);

    /// <summary>When, from when the proxy gets the order: 0 s (now, the default) to 1 day.</summary>
    public TimeSpan At { get; init; }

    /// <summary>Of <see cref="OrderKind.Toxics"/>, in the order in which bytes go through them; empty: none.</summary>
    public IReadOnlyList<Toxic> Toxics { get; init; } = [];

    /// <summary>Of <see cref="OrderKind.Cut"/>: 0 to 1, rounded to whole connections. Default: 1, all.</summary>
    public double Share { get; init; } = 1;

    /// <summary>Of all that <see cref="OrderKind.Toxics"/> and <see cref="OrderKind.Cut"/> draw.</summary>
    public long Seed { get; init; }

    /// <summary>What is wrong with it and what is allowed, as one sentence; null: nothing is.</summary>
    public string? FindFault() =>
        !Enum.IsDefined(Do) ? "An order is one of toxics, cut, refuse, accept, stall, resume and calm."
        : At < TimeSpan.Zero || At > Latest ? "An order is due after 0 s to 1 day."
        : Share is not (>= 0 and <= 1) ? "cut: the share is from 0 to 1."
        // JSON may have null in a list where the type says there is none.
        : Toxics.Any(toxic => toxic is null) ? "toxics: null is no toxic."
        : Toxics.Select(toxic => toxic.FindFault()).FirstOrDefault(fault => fault is not null);
}

/// <summary>What a proxy can be told to do.</summary>
public enum OrderKind
{
    /// <summary>These toxics, and no others, for all connections that are there and all that come.</summary>
    Toxics,

    /// <summary>Reset a share of the connections that are there.</summary>
    Cut,

    /// <summary>Listen no more; connections stay.</summary>
    Refuse,

    /// <summary>Listen again.</summary>
    Accept,

    /// <summary>Let nothing pass on any connection; connections stay, and new ones are taken.</summary>
    Stall,

    /// <summary>Let everything pass again.</summary>
    Resume,

    /// <summary>No toxics, accept, resume, and forget the orders that are not due yet.</summary>
    Calm,
}
