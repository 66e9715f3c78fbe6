using System.Buffers;

namespace PubSubOverWs.LocalSqs;

/// <summary>The whole body of a request: its signature is that of all its octets.</summary>
internal static class RequestBody
{
    /// <summary>In a buffer to be disposed.</summary>
    public static async ValueTask<PooledBytes> ReadAsync(HttpRequest request, CancellationToken cancellationToken)
    {
        var bytes = new PooledBytes((int)(request.ContentLength ?? 4096) + 1);
        while (true)
        {
            var read = await request.BodyReader.ReadAsync(cancellationToken);
            foreach (var segment in read.Buffer)
                bytes.Write(segment.Span);
            request.BodyReader.AdvanceTo(read.Buffer.End);
            if (read.IsCompleted)
                return bytes;
        }
    }
}
