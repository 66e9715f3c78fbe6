namespace PubSubOverWs.Report.Costs;

/// <summary>The number of requests that Amazon SQS bills for the calls of a server.</summary>
public static class QueueRequests
{
    // Each started 64 KiB of message bodies in a call is billed as a request.
    private const int BytesPerRequest = 64 * 1024;

    // The subscription is checked once in Queue:Nodes:DeadAfter, by default five times Queue:Nodes:AnnounceEvery.
    private const int AnnouncementsPerCheck = 5;

    /// <summary>To send, receive and delete messages. Deletes have no bodies.</summary>
    /// <param name="bytes">Of one body, as the queue gets it.</param>
    /// <param name="perCall">Messages in a call: 1 to 10.</param>
    public static long ToMove(long messages, int bytes, int perCall)
    {
        var calls = Started(messages, perCall);
        var ofBodies = Math.Max(1, Started((long)perCall * bytes, BytesPerRequest));
        return calls * (ofBodies + ofBodies + 1);
    }

    /// <summary>Long polls that end without a message.</summary>
    /// <param name="time">How long no message arrives.</param>
    /// <param name="loops">Concurrent polls.</param>
    /// <param name="waitTime">Of one poll, above zero.</param>
    public static long WhileNothingComes(TimeSpan time, int loops, TimeSpan waitTime) => (long)Math.Ceiling(time / waitTime) * loops;

    /// <summary>
    /// The heartbeats of nodes that share the work: each node sends to all and lists the queues once per interval, receives and deletes the
    /// announcements of all, and sometimes asks SNS for its subscription, which counts as a request to SQS.
    /// </summary>
    /// <param name="time">How long they run.</param>
    /// <param name="every">The interval, above zero.</param>
    /// <param name="perCall">Announcements in a receive: 1 to 10.</param>
    public static long ToKnowEachOther(TimeSpan time, int nodes, TimeSpan every, int perCall)
    {
        var said = (long)Math.Ceiling(time / every) * nodes;
        return said * nodes + said + Started(said, AnnouncementsPerCheck) + ToHear(said, nodes, perCall);
    }

    /// <summary>Each node receives and deletes the announcements.</summary>
    /// <param name="said">Announcements of all nodes.</param>
    /// <param name="perCall">Announcements in a receive: 1 to 10.</param>
    public static long ToHear(long said, int nodes, int perCall) => 2 * nodes * Started(said, perCall);

    private static long Started(long all, long unit) => (all + unit - 1) / unit;
}

/// <summary>A <see cref="QueueBill"/> as text.</summary>
public static class BillText
{
    /// <summary>Such as <c>3,000 to 30,000 requests to SQS, $0.0012 to $0.012 at $0.40 per million</c>.</summary>
    public static string Expected(QueueBill bill) =>
        $"{Count(bill.ExpectedAtLeast)} to {Count(bill.ExpectedAtMost)} requests to SQS, "
        + $"{Dollars(bill.Dollars(bill.ExpectedAtLeast))} to {Dollars(bill.Dollars(bill.ExpectedAtMost))} at "
        + $"{Dollars(bill.PricePerMillion)} per million";

    /// <summary>Such as <c>3,100 were made, $0.0012</c>.</summary>
    public static string Made(QueueBill bill) =>
        bill.Made is { } made ? $"{Count(made)} were made, {Dollars(bill.Dollars(made))}" : "how many were made is not known";

    private static string Count(long requests) => requests.ToString("N0", CultureInfo.InvariantCulture);

    // Cents and two digits more: a run costs less than one.
    private static string Dollars(decimal dollars) => dollars.ToString("'$'0.00##", CultureInfo.InvariantCulture);
}
