namespace PubSubOverWs.Experiment.Costs;

/// <summary>How many requests Amazon SQS counts for what a server asks of it.</summary>
public static class QueueRequests
{
    /// <summary>Bytes of message bodies in one call that are paid for as one request: each started 64 KiB is one.</summary>
    public const int BytesPerRequest = 64 * 1024;

    /// <summary>To send, receive and delete messages. Deletes have no bodies.</summary>
    /// <param name="messages">How many.</param>
    /// <param name="bytes">Of one body, as the queue gets it.</param>
    /// <param name="perCall">How many share a call: 1 (none is shared) to 10.</param>
    public static long ToMove(long messages, int bytes, int perCall)
    {
        var calls = Started(messages, perCall);
        var ofBodies = Math.Max(1, Started((long)perCall * bytes, BytesPerRequest));
        return calls * (ofBodies + ofBodies + 1);
    }

    /// <summary>Receives that bring nothing: a long poll lapses, and the next one is asked.</summary>
    /// <param name="time">How long nothing comes.</param>
    /// <param name="loops">Polls under way at once.</param>
    /// <param name="waitTime">Of one poll, above zero.</param>
    public static long WhileNothingComes(TimeSpan time, int loops, TimeSpan waitTime) => (long)Math.Ceiling(time / waitTime) * loops;

    private static long Started(long all, long unit) => (all + unit - 1) / unit;
}
