using System.Security.Cryptography;
using System.Text;
using Amazon.Runtime;
using Amazon.Runtime.Internal.Auth;

namespace PubSubOverWs.Sqs;

/// <summary>
/// AWS Signature Version 4 for our one kind of request, a POST without a query in its URL
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). AWSSDK.Core derives the key, once for a
/// day and a secret: that takes four of the five keyed hashes of a signature. Safe from any thread.
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

    private volatile SigningKey? _last;

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
        SHA256.HashData(Encoding.UTF8.GetBytes(canonical), hash);

        var key = KeyOf(credentials, date[..8]);
        var toSign = $"{AWS4Signer.AWS4AlgorithmTag}\n{date}\n{key.Scope}\n{Convert.ToHexStringLower(hash)}";
        HMACSHA256.HashData(key.Key, Encoding.UTF8.GetBytes(toSign), hash);
        return $"{AWS4Signer.AWS4AlgorithmTag} Credential={credentials.AccessKey}/{key.Scope}, SignedHeaders={signedHeaders}, "
            + $"Signature={Convert.ToHexStringLower(hash)}";
    }

    private SigningKey KeyOf(ImmutableCredentials credentials, string day)
    {
        if (_last is { } last && last.Day == day && last.Secret == credentials.SecretKey)
            return last;
        var region = address.Region;
        var service = address.Service.Id;
        return _last = new SigningKey(
            credentials.SecretKey, day, $"{day}/{region}/{service}/{AWS4Signer.Terminator}",
            AWS4Signer.ComposeSigningKey(credentials.SecretKey, region, day, service));
    }

    private static string TargetOf(AwsService service) => service.HasTarget ? ";x-amz-target;x-amzn-query-mode" : "";

    private sealed record SigningKey(string Secret, string Day, string Scope, byte[] Key);
}
