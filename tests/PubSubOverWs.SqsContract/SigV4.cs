using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// Signature Version 4 for a POST without a query, written from its description
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html): independent of the client's.
/// </summary>
internal static class SigV4
{
    /// <summary>
    /// Adds the headers <c>X-Amz-Date</c>, <c>Authorization</c> and, for temporary credentials, <c>X-Amz-Security-Token</c>; signs every
    /// header.
    /// </summary>
    public static void Sign(HttpRequestMessage request, string body, ContractEndpoint endpoint, DateTimeOffset now, string service = "sqs")
    {
        var date = now.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);
        request.Headers.Add("X-Amz-Date", date);
        if (endpoint.SessionToken is { } token)
            request.Headers.Add("X-Amz-Security-Token", token);

        var headers = new SortedDictionary<string, string>(StringComparer.Ordinal) { ["host"] = request.RequestUri!.Authority };
        foreach (var (name, values) in request.Headers.Concat(request.Content!.Headers))
            headers.Add(
                name.ToLowerInvariant(), string.Join(' ', string.Join(",", values).Split(' ', StringSplitOptions.RemoveEmptyEntries)));
        var signedHeaders = string.Join(';', headers.Keys);
        var canonical = $"POST\n{request.RequestUri.AbsolutePath}\n\n"
            + string.Concat(headers.Select(header => $"{header.Key}:{header.Value}\n"))
            + $"\n{signedHeaders}\n{Sha256(body)}";

        var scope = $"{date[..8]}/{endpoint.Region}/{service}/aws4_request";
        var key = Encoding.UTF8.GetBytes($"AWS4{endpoint.SecretKey}");
        foreach (var part in scope.Split('/'))
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(part));
        var signature = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes($"AWS4-HMAC-SHA256\n{date}\n{scope}\n{Sha256(canonical)}"));
        request.Headers.TryAddWithoutValidation(
            "Authorization",
            $"AWS4-HMAC-SHA256 Credential={endpoint.AccessKey}/{scope}, SignedHeaders={signedHeaders}, "
                + $"Signature={Convert.ToHexStringLower(signature)}");
    }

    private static string Sha256(string text) => Convert.ToHexStringLower(SHA256.HashData(Encoding.UTF8.GetBytes(text)));
}
