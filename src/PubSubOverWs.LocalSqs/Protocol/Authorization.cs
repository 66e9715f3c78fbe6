using System.Buffers;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.LocalSqs;

/// <summary>The header <c>Authorization</c> of a signed request.</summary>
/// <param name="AccessKey">Whose key it is.</param>
/// <param name="Scope"><c>date/region/service/aws4_request</c>.</param>
/// <param name="SignedHeaders">Lower case, in the order in which they were signed.</param>
/// <param name="Signature">64 hexadecimal digits.</param>
internal sealed record Authorization(string AccessKey, string Scope, string[] SignedHeaders, string Signature)
{
    public const string Algorithm = "AWS4-HMAC-SHA256";

    /// <param name="service">Such as <c>sqs</c>.</param>
    public bool IsFor(string service) => Scope.EndsWith($"/{service}/aws4_request", StringComparison.Ordinal);

    /// <exception cref="SqsErrorException">There is none, or a part of it is missing.</exception>
    public static Authorization Parse(string header)
    {
        if (header.Length == 0)
            throw new SqsErrorException(
                SqsError.MissingAuthenticationToken, $"Request is missing Authentication Token: sign it with {Algorithm}.");
        if (!header.StartsWith(Algorithm + " ", StringComparison.Ordinal))
            throw Incomplete($"the algorithm must be {Algorithm}");
        string credential = "", signedHeaders = "", signature = "";
        foreach (var part in header[Algorithm.Length..].Split(',', StringSplitOptions.TrimEntries))
        {
            if (part.StartsWith("Credential=", StringComparison.Ordinal))
                credential = part["Credential=".Length..];
            else if (part.StartsWith("SignedHeaders=", StringComparison.Ordinal))
                signedHeaders = part["SignedHeaders=".Length..];
            else if (part.StartsWith("Signature=", StringComparison.Ordinal))
                signature = part["Signature=".Length..];
        }
        var slash = credential.IndexOf('/');
        if (slash <= 0 || credential.AsSpan(slash).Count('/') != 4)
            throw Incomplete("Credential must be KEY/DATE/REGION/SERVICE/aws4_request");
        var names = signedHeaders.Split(';');
        if (!names.Contains("host") || !names.Contains("x-amz-date"))
            throw Incomplete("SignedHeaders must have host and x-amz-date");
        if (signature.Length == 0)
            throw Incomplete("Signature is missing");
        return new Authorization(credential[..slash], credential[(slash + 1)..], names, signature);
    }

    public static SqsErrorException Incomplete(string reason) =>
        new(SqsError.IncompleteSignature, $"The request signature does not conform to AWS standards: {reason}.");
}

/// <summary>The text that the client signed, rebuilt from the request.</summary>
internal static class CanonicalRequest
{
    public static void Write(IBufferWriter<byte> text, HttpRequest request, Authorization signed, ReadOnlySpan<byte> body)
    {
        Append(text,
            $"{request.Method}\n{Path(request.Path.ToUriComponent())}\n{Query(request.QueryString.ToUriComponent().TrimStart('?'))}\n");
        foreach (var name in signed.SignedHeaders)
            Append(text, $"{name}:{Value(request, name)}\n");
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(body, hash);
        Append(text, $"\n{string.Join(';', signed.SignedHeaders)}\n{Convert.ToHexStringLower(hash)}");
    }

    private static void Append(IBufferWriter<byte> text, string part) => Encoding.UTF8.GetBytes(part, text);

    // The path as it came, encoded once more: only S3 signs it without that.
    private static string Path(string path) => path is "" or "/" ? "/" : string.Join('/', path.Split('/').Select(Uri.EscapeDataString));

    private static string Query(string query)
    {
        var parameters = query.Split('&', StringSplitOptions.RemoveEmptyEntries);
        Array.Sort(parameters, StringComparer.Ordinal);
        return string.Join('&', parameters.Select(parameter => parameter.Contains('=') ? parameter : parameter + "="));
    }

    private static string Value(HttpRequest request, string name)
    {
        var values = request.Headers[name];
        return string.Join(',', values.Select(value => string.Join(' ', (value ?? "").Split(' ', StringSplitOptions.RemoveEmptyEntries))));
    }
}
