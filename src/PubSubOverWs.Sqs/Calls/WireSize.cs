using System.Net.Http.Headers;

namespace PubSubOverWs.Sqs;

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
