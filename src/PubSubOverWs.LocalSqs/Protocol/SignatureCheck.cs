using System.Globalization;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// Refuses requests that are not signed with the configured key: AWS Signature Version 4
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). Safe from any thread.
/// </summary>
internal sealed class SignatureCheck(LocalSqsOptions options, TimeProvider time)
{
    /// <summary>What AWS allows between the clocks of the two sides.</summary>
    private static readonly TimeSpan LargestSkew = TimeSpan.FromMinutes(15);

    // One key and scope at a time is what a day's clients use.
    private volatile SigningKey _last = new("", []);

    /// <exception cref="SqsErrorException">It is not signed, not wholly, by another key, for another service, at another time, or is not what was signed.</exception>
    public void Check(HttpRequest request, ReadOnlySpan<byte> body, string service)
    {
        var signed = Authorization.Parse(request.Headers.Authorization.ToString());
        if (signed.AccessKey != options.AccessKey)
            throw new SqsErrorException(SqsError.UnrecognizedClient, "The security token included in the request is invalid.");
        if (!signed.IsFor(service))
            throw new SqsErrorException(SqsError.InvalidSignature, $"Credential should be scoped to correct service: '{service}'.");
        var date = request.Headers["X-Amz-Date"].ToString();
        if (!DateTime.TryParseExact(date, "yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal, out var at)
            || !signed.Scope.StartsWith(date[..8], StringComparison.Ordinal))
        {
            throw Authorization.Incomplete("X-Amz-Date must be given, as YYYYMMDDTHHMMSSZ, on the day of the credential's scope");
        }
        var now = time.GetUtcNow().UtcDateTime;
        if (at < now - LargestSkew)
            throw OutOfTime($"Signature expired: {date} is now earlier than {Text(now - LargestSkew)} ({Text(now)} - {LargestSkew.TotalMinutes:0} min.)");
        if (at > now + LargestSkew)
            throw OutOfTime($"Signature not yet current: {date} is still later than {Text(now + LargestSkew)} ({Text(now)} + {LargestSkew.TotalMinutes:0} min.)");
        if (!CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(signed.Signature), Signature(request, body, signed, date)))
        {
            throw new SqsErrorException(
                SqsError.InvalidSignature,
                "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method.");
        }
    }

    private static string Text(DateTime time) => time.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);

    // In the words of SQS: clients look for them.
    private static SqsErrorException OutOfTime(string message) => new(SqsError.InvalidSignature, message);

    private byte[] Signature(HttpRequest request, ReadOnlySpan<byte> body, Authorization signed, string date)
    {
        using var text = new PooledBytes(1024);
        CanonicalRequest.Write(text, request, signed, body);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(text.Written.Span, hash);
        text.Clear();
        Encoding.ASCII.GetBytes($"{Authorization.Algorithm}\n{date}\n{signed.Scope}\n{Convert.ToHexStringLower(hash)}", text);
        HMACSHA256.HashData(KeyOf(signed.Scope), text.Written.Span, hash);
        return Encoding.ASCII.GetBytes(Convert.ToHexStringLower(hash));
    }

    private byte[] KeyOf(string scope)
    {
        var last = _last;
        if (last.Scope == scope)
            return last.Key;
        var key = Encoding.UTF8.GetBytes("AWS4" + options.SecretKey);
        foreach (var part in scope.Split('/'))
            key = HMACSHA256.HashData(key, Encoding.UTF8.GetBytes(part));
        _last = new SigningKey(scope, key);
        return key;
    }

    private sealed record SigningKey(string Scope, byte[] Key);
}
