using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>
/// Signature Version 4, written from its description
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html) and from nothing else: what our requests
/// are held against.
/// </summary>
internal static class SigV4
{
    /// <summary>The header <c>Authorization</c> that the request must have, given which headers it signs.</summary>
    public static string Authorization(
        SeenRequest request, string accessKey, string secretKey, string region, string service, string signedHeaders)
    {
        var date = request.Headers["x-amz-date"];
        var canonical = new StringBuilder().Append(request.Method).Append('\n').Append(request.Uri.AbsolutePath).Append('\n').Append('\n');
        foreach (var name in signedHeaders.Split(';'))
            canonical.Append(name).Append(':').Append(request.Headers[name].Trim()).Append('\n');
        canonical.Append('\n').Append(signedHeaders).Append('\n').Append(Sha256(request.Body));

        var scope = $"{date[..8]}/{region}/{service}/aws4_request";
        var toSign = $"AWS4-HMAC-SHA256\n{date}\n{scope}\n{Sha256(canonical.ToString())}";
        var key = Encoding.UTF8.GetBytes("AWS4" + secretKey);
        foreach (var part in scope.Split('/'))
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(part));
        var signature = Convert.ToHexStringLower(HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(toSign)));
        return $"AWS4-HMAC-SHA256 Credential={accessKey}/{scope}, SignedHeaders={signedHeaders}, Signature={signature}";
    }

    private static string Sha256(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
