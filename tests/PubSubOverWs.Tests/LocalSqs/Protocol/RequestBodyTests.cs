using System.Buffers;
using Microsoft.AspNetCore.Http;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class RequestBodyTests
{
    private readonly ArrayBufferWriter<byte> _body = new();

    [Theory]
    [InlineData(0, LocalSqsOptions.MaxRequestBytes + 1L)]
    [InlineData(0, long.MaxValue)]
    [InlineData(LocalSqsOptions.MaxRequestBytes + 1, null)]
    public async Task A_body_that_is_too_long_is_refused_whether_that_is_announced_or_not(int length, long? announced)
    {
        var refused = await Assert.ThrowsAsync<SqsErrorException>(
            () => RequestBody.ReadAsync(Request(new byte[length], announced), _body, CancellationToken.None).AsTask());

        Assert.Equal(SqsError.RequestTooLong, refused.Error);
    }

    [Fact]
    public async Task Memory_is_taken_for_received_bytes_and_not_for_announced_ones()
    {
        await RequestBody.ReadAsync(Request([1, 2, 3], LocalSqsOptions.MaxRequestBytes), _body, CancellationToken.None);

        Assert.Equal([1, 2, 3], _body.WrittenMemory.ToArray());
        Assert.InRange(_body.Capacity, 3, 4096);
    }

    private static HttpRequest Request(byte[] body, long? announced)
    {
        var request = new DefaultHttpContext().Request;
        (request.Body, request.ContentLength) = (new MemoryStream(body), announced);
        return request;
    }
}
