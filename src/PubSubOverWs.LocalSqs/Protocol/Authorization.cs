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
