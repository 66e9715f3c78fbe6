using System.Security.Cryptography;
using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;

namespace PubSubOverWs.Sqs;

/// <summary>
/// AWS Signature Version 4 for our one kind of request, a POST without a query. The signature itself is AWSSDK.Core's work; here is only the
/// canonical request (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
/// </summary>
internal sealed class RequestSigner(Uri endpoint, string region)
{
    public const string ContentType = "application/x-amz-json-1.0";
    private const string Service = "sqs";
    private const string SignedHeaders = "content-type;host;x-amz-date;x-amz-target;x-amzn-query-mode";
    private const string SignedHeadersWithToken = "content-type;host;x-amz-date;x-amz-security-token;x-amz-target;x-amzn-query-mode";

    // With the port, unless it is the default one: exactly what HttpClient writes.
    private readonly string _start = $"POST\n{endpoint.AbsolutePath}\n\ncontent-type:{ContentType}\nhost:{endpoint.Authority}\nx-amz-date:";

    /// <summary>The value of the header <c>Authorization</c>; <paramref name="date"/> is that of <c>X-Amz-Date</c>.</summary>
    public string Sign(ImmutableCredentials credentials, DateTime now, string target, ReadOnlySpan<byte> body, out string date)
    {
        date = AWS4Signer.FormatDateTime(now, "yyyyMMddTHHmmssZ");
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body, hash);
        var token = credentials.UseToken ? $"\nx-amz-security-token:{credentials.Token}" : "";
        var signedHeaders = credentials.UseToken ? SignedHeadersWithToken : SignedHeaders;
        var canonical = $"{_start}{date}{token}\nx-amz-target:{target}\nx-amzn-query-mode:true\n\n{signedHeaders}\n{Convert.ToHexStringLower(hash)}";
        return AWS4Signer.ComputeSignature(credentials, region, now, Service, signedHeaders, canonical).ForAuthorizationHeader;
    }
}
