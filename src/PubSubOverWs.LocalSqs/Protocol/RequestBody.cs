using System.Buffers;

namespace PubSubOverWs.LocalSqs;

/// <summary>The whole body of a request, since the signature covers all its bytes.</summary>
internal static class RequestBody
{
    /// <summary>Reads it into a buffer that grows as bytes come, not as they are announced.</summary>
    /// <exception cref="SqsErrorException">Longer than <see cref="LocalSqsOptions.MaxRequestBytes"/>, or announced as longer.</exception>
    public static async ValueTask ReadAsync(HttpRequest request, PooledBytes into, CancellationToken cancellationToken)
    {
        if (request.ContentLength > LocalSqsOptions.MaxRequestBytes)
            throw TooLong();
        while (true)
        {
            var read = await request.BodyReader.ReadAsync(cancellationToken);
            if (into.Written.Length + read.Buffer.Length > LocalSqsOptions.MaxRequestBytes)
                throw TooLong();
            foreach (var segment in read.Buffer)
                into.Write(segment.Span);
            request.BodyReader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
                return;
        }
    }

    private static SqsErrorException TooLong() =>
        new(SqsError.RequestTooLong, $"The request is longer than {LocalSqsOptions.MaxRequestBytes} bytes.");
}
