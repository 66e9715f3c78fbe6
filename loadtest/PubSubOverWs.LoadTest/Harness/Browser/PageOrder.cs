namespace PubSubOverWs.LoadTest.Harness.Browser;

/// <summary>What the load runner tells its page to do, which answers with a <see cref="PageAnswer"/>; as JSON, like all below.</summary>
/// <param name="Order">
/// <c>enter</c>: connect and subscribe; <c>begin</c>: send each message when it is due, answered when nothing more is waited for;
/// <c>leave</c>: close all connections. In this order, once for each trial.
/// </param>
/// <param name="Plan">Of <c>enter</c>.</param>
public sealed record PageOrder(string Order, PagePlan? Plan = null)
{
    /// <summary>What the answers name that no order asked for: the page has been loaded.</summary>
    public const string Open = "open";

    public static PageOrder Begin { get; } = new("begin");

    public static PageOrder Leave { get; } = new("leave");

    public static PageOrder Enter(PagePlan plan) => new("enter", plan);
}

/// <summary>The users of one trial.</summary>
/// <param name="IsEcho">Their server is the null echo.</param>
/// <param name="Receipts">A receipt is asked for each SEND; its id is the number of the message.</param>
/// <param name="ConnectTimeoutMs">For a user to connect and subscribe.</param>
/// <param name="ConnectsUnderWay">Users that do so at the same time.</param>
public sealed record PagePlan(
    bool IsEcho, bool Receipts, double ConnectTimeoutMs, int ConnectsUnderWay, IReadOnlyList<PageUser> Users);

/// <summary>One user: where it connects, the queue that it subscribes to, and what it sends to it.</summary>
/// <param name="Address">Such as <c>ws://127.0.0.1:40123/ws</c>.</param>
public sealed record PageUser(string Address, string Destination, IReadOnlyList<PageMessage> Messages);

/// <param name="DueMs">From the beginning.</param>
public sealed record PageMessage(string Id, string Body, double DueMs);
