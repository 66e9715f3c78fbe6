using System.Security.Cryptography;
using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;

namespace PubSubOverWs.Sqs;

/// <summary>
/// AWS Signature Version 4 for our one kind of request, a POST without a query in its URL. The signature itself is AWSSDK.Core's work; here
/// is only the canonical request (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html).
/// </summary>
internal sealed class RequestSigner(SqsAddress address)
{
    private const string Always = "content-type;host;x-amz-date";
    private const string Token = ";x-amz-security-token";

    private readonly string _signedHeaders = $"{Always}{TargetOf(address.Service)}";
    private readonly string _signedHeadersWithToken = $"{Always}{Token}{TargetOf(address.Service)}";

    // With the port, unless it is the default: exactly what HttpClient writes.
    private readonly string _start =
        $"POST\n{address.Endpoint.AbsolutePath}\n\ncontent-type:{address.Service.ContentType}"
            + $"\nhost:{address.Endpoint.Authority}\nx-amz-date:";

    /// <summary>The value of the header <c>Authorization</c>; <paramref name="date"/> is that of <c>X-Amz-Date</c>.</summary>
    public string Sign(ImmutableCredentials credentials, DateTime now, string target, ReadOnlySpan<byte> body, out string date)
    {
        date = AWS4Signer.FormatDateTime(now, "yyyyMMddTHHmmssZ");
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body, hash);
        var token = credentials.UseToken ? $"\nx-amz-security-token:{credentials.Token}" : "";
        var signedHeaders = credentials.UseToken ? _signedHeadersWithToken : _signedHeaders;
        var targetHeaders = address.Service.HasTarget ? $"\nx-amz-target:{target}\nx-amzn-query-mode:true" : "";
        var canonical = $"{_start}{date}{token}{targetHeaders}\n\n{signedHeaders}\n{Convert.ToHexStringLower(hash)}";
        return AWS4Signer.ComputeSignature(credentials, address.Region, now, address.Service.Id, signedHeaders, canonical)
            .ForAuthorizationHeader;
    }

    private static string TargetOf(AwsService service) => service.HasTarget ? ";x-amz-target;x-amzn-query-mode" : "";
}
