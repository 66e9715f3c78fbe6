using Microsoft.AspNetCore.Http;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class RequestBodyTests
{
    [Theory]
    [InlineData(LocalSqsOptions.MaxRequestBytes + 1L)]
    [InlineData(int.MaxValue)]
    [InlineData(long.MaxValue)]
    public async Task A_body_that_is_announced_as_too_long_is_refused_before_it_is_read(long announced)
    {
        using var body = new PooledBytes(16);

        Assert.Equal(SqsError.RequestTooLong, (await ReadAsync([], announced, body)).Error);
    }

    [Fact]
    public async Task A_body_that_is_too_long_is_refused_though_nothing_was_announced()
    {
        using var body = new PooledBytes(16);

        Assert.Equal(SqsError.RequestTooLong, (await ReadAsync(new byte[LocalSqsOptions.MaxRequestBytes + 1], null, body)).Error);
    }

    [Fact]
    public async Task Memory_is_taken_for_received_bytes_and_not_for_announced_ones()
    {
        using var body = new PooledBytes(16);
        var request = Request([1, 2, 3], LocalSqsOptions.MaxRequestBytes);

        await RequestBody.ReadAsync(request, body, CancellationToken.None);

        Assert.Equal([1, 2, 3], body.Written.ToArray());
        Assert.InRange(body.GetMemory().Length, 1, 4096);
    }

    private static Task<SqsErrorException> ReadAsync(byte[] body, long? announced, PooledBytes into) =>
        Assert.ThrowsAsync<SqsErrorException>(() => RequestBody.ReadAsync(Request(body, announced), into, CancellationToken.None).AsTask());

    private static HttpRequest Request(byte[] body, long? announced)
    {
        var request = new DefaultHttpContext().Request;
        (request.Body, request.ContentLength) = (new MemoryStream(body), announced);
        return request;
    }
}
