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

/// <summary>The answer of the page to an order. Its times are milliseconds on the page's clock, since it began.</summary>
/// <param name="To">The order, or <see cref="PageOrder.Open"/>.</param>
public sealed record PageAnswer(string To)
{
    /// <summary>To <c>open</c>: of the browser.</summary>
    public string? Version { get; init; }

    /// <summary>To <c>open</c>: the smallest step of the page's clock, in microseconds.</summary>
    public double? ClockUs { get; init; }

    /// <summary>To <c>enter</c>: how many users are connected and subscribed.</summary>
    public int? Connected { get; init; }

    /// <summary>To <c>begin</c>: when every user had its messages, or had given up; null: the users left before.</summary>
    public double? DoneMs { get; init; }

    /// <summary>To <c>leave</c>: what each user has seen.</summary>
    public IReadOnlyList<PageLog>? Users { get; init; }
}

/// <summary>What one user has seen.</summary>
/// <param name="Failure">The first thing that went wrong with its connection; null: nothing.</param>
/// <param name="SentMs">Of each of its messages; null: it was not sent.</param>
/// <param name="Arrived">In their order.</param>
public sealed record PageLog(
    PageFailure? Failure, IReadOnlyList<double?> SentMs, IReadOnlyList<PageReceipt> Receipts, IReadOnlyList<PageArrival> Arrived);

/// <summary>Why a user could not connect or stay connected. A page is not told why a connection or a handshake was refused.</summary>
public sealed record PageFailure(Cause Cause, string Detail);

/// <param name="Number">Of the message among those of its user, from 0.</param>
/// <param name="Outcome">Null: the server names none.</param>
public sealed record PageReceipt(int Number, double Ms, string? Outcome);

/// <param name="Id">In its header; null: it has none.</param>
/// <param name="IsIntact">Its body is the one that was sent with this id.</param>
public sealed record PageArrival(string? Id, double Ms, bool IsIntact);
