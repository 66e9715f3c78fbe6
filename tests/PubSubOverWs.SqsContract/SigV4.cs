using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// Signature Version 4 for a POST without a query, written from its description
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html): independent of the client's. What our
/// requests are held against.
/// </summary>
public static class SigV4
{
    /// <summary>The header <c>Authorization</c> of a request, given which of its headers it signs.</summary>
    public static string Authorize(
        Uri uri, IReadOnlyDictionary<string, string> headers, string body, string signedHeaders, string accessKey, string secretKey,
        string region, string service)
    {
        var date = headers["x-amz-date"];
        var canonical = $"POST\n{uri.AbsolutePath}\n\n"
            + string.Concat(signedHeaders.Split(';').Select(name => $"{name}:{headers[name].Trim()}\n"))
            + $"\n{signedHeaders}\n{Sha256(body)}";

        var scope = $"{date[..8]}/{region}/{service}/aws4_request";
        var key = Encoding.UTF8.GetBytes($"AWS4{secretKey}");
        foreach (var part in scope.Split('/'))
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(part));
        var signature = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes($"AWS4-HMAC-SHA256\n{date}\n{scope}\n{Sha256(canonical)}"));
        return $"AWS4-HMAC-SHA256 Credential={accessKey}/{scope}, SignedHeaders={signedHeaders}, "
            + $"Signature={Convert.ToHexStringLower(signature)}";
    }

    private static string Sha256(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
