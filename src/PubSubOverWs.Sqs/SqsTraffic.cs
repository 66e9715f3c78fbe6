using System.Net.Http.Headers;

namespace PubSubOverWs.Sqs;

/// <summary>
/// The calls and bytes of a client of the queue so far: each attempt is one call, retries included. Counted from any thread, read at any
/// time.
/// </summary>
public sealed class SqsTraffic
{
    private static readonly int Kinds = Enum.GetValues<SqsCall>().Length;

    private readonly long[] _calls = new long[Kinds];
    private readonly long[] _bytesOut = new long[Kinds];
    private long _bytesIn;
    private long _emptyReceives;
    private long _corrupted;
    private long _retries;
    private long _unansweredReceives;

    /// <summary>Response bytes: status line, headers and body, as far as the client can see them.</summary>
    public long BytesIn => Volatile.Read(ref _bytesIn);

    /// <summary>Receives without a message: they cost money all the same.</summary>
    public long EmptyReceives => Volatile.Read(ref _emptyReceives);

    /// <summary>Received messages whose body did not match its MD5. They were left out, and are received again.</summary>
    public long Corrupted => Volatile.Read(ref _corrupted);

    /// <summary>Calls that were retried after a failure; <see cref="Calls"/> includes them.</summary>
    public long Retries => Volatile.Read(ref _retries);

    /// <summary>
    /// Receives that were repeated because an attempt had no answer: the queue may hide what that brought until its visibility runs out.
    /// </summary>
    public long UnansweredReceives => Volatile.Read(ref _unansweredReceives);

    public long Calls(SqsCall kind) => Volatile.Read(ref _calls[(int)kind]);

    /// <summary>Request bytes: request line, headers and body, as far as the client can see them.</summary>
    public long BytesOut(SqsCall kind) => Volatile.Read(ref _bytesOut[(int)kind]);

    /// <summary>For implementations of <see cref="ISqs"/>: one attempt was sent.</summary>
    public void CountCall(SqsCall kind, long bytesOut)
    {
        Interlocked.Increment(ref _calls[(int)kind]);
        Interlocked.Add(ref _bytesOut[(int)kind], bytesOut);
    }

    /// <summary>For implementations of <see cref="ISqs"/>: an answer came.</summary>
    public void CountAnswer(long bytesIn) => Interlocked.Add(ref _bytesIn, bytesIn);

    /// <summary>
    /// For implementations of <see cref="ISqs"/>: a receive returned <paramref name="messages"/> usable messages and
    /// <paramref name="corrupted"/> corrupted ones.
    /// </summary>
    public void CountReceive(int messages, int corrupted)
    {
        if (messages + corrupted == 0)
            Interlocked.Increment(ref _emptyReceives);
        Interlocked.Add(ref _corrupted, corrupted);
    }

    /// <summary>For implementations of <see cref="ISqs"/>: the next attempt repeats a failed one.</summary>
    public void CountRetry() => Interlocked.Increment(ref _retries);

    /// <summary>For implementations of <see cref="ISqs"/>: an attempt to receive had no answer.</summary>
    public void CountUnansweredReceive() => Interlocked.Increment(ref _unansweredReceives);
}

/// <summary>
/// Bytes of HTTP/1.1 messages, computed from their parts because the handler hides the wire. Exact for requests (a test compares them with
/// a socket) and for answers with a Content-Length; TLS and chunked framing are not included.
/// </summary>
internal static class WireSize
{
    public static long Compute(HttpRequestMessage request, Uri endpoint, int body) =>
        "POST  HTTP/1.1\r\n".Length + endpoint.AbsolutePath.Length
        + (request.Headers.NonValidated.Contains("Host") ? 0 : "Host: \r\n".Length + endpoint.Authority.Length)
        + (request.Content!.Headers.NonValidated.Contains("Content-Length") ? 0 : "Content-Length: \r\n".Length + Digits(body))
        + Measure(request.Headers.NonValidated) + Measure(request.Content.Headers.NonValidated)
        + "\r\n".Length + body;

    public static long Compute(HttpResponseMessage response, int body) =>
        "HTTP/1.1 200 \r\n".Length + (response.ReasonPhrase?.Length ?? 0)
        + Measure(response.Headers.NonValidated) + Measure(response.Content.Headers.NonValidated)
        + "\r\n".Length + body;

    private static long Measure(HttpHeadersNonValidated headers)
    {
        long bytes = 0;
        foreach (var (name, values) in headers)
        {
            foreach (var value in values)
                bytes += name.Length + ": \r\n".Length + value.Length;
        }
        return bytes;
    }

    private static int Digits(int number)
    {
        var digits = 1;
        for (; number >= 10; number /= 10)
            digits++;
        return digits;
    }
}
