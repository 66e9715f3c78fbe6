using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.LoadTest.Harness.Browser;

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
