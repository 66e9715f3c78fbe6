using System.Globalization;
using System.Net;
using System.Security.Cryptography;
using System.Text;
using PubSubOverWs.Hosting;
using PubSubOverWs.Sqs;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// Refuses requests that are for another host, or not signed with the configured key: AWS Signature Version 4
/// (https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html). Safe from any thread.
/// </summary>
internal sealed class SignatureCheck(LocalSqsOptions options, TimeProvider time)
{
    /// <summary>The difference that AWS allows between the clocks of the two sides.</summary>
    private static readonly TimeSpan LargestSkew = TimeSpan.FromMinutes(15);

    // Clients use one key and scope within a day.
    private volatile SigningKey _last = new("", []);

    private readonly string[] _hosts = options.Hosts.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries);

    /// <summary>Checks everything that can be checked before the body is read.</summary>
    /// <exception cref="SqsErrorException">It is for another host, not or not completely signed, by another key, or at another
    /// time.</exception>
    public Authorization Read(HttpRequest request)
    {
        if (!IsHere(request.Host))
        {
            throw new SqsErrorException(
                SqsError.AccessDenied,
                $"The header Host names '{request.Host}', which is not known here: "
                + "ask at an address or at localhost, or add the name to LocalSqs:Hosts.");
        }
        var signed = Authorization.Parse(request.Headers.Authorization.ToString());
        if (signed.AccessKey != options.AccessKey)
            throw new SqsErrorException(SqsError.UnrecognizedClient, "The security token included in the request is invalid.");
        var date = request.Headers["X-Amz-Date"].ToString();
        if (!DateTime.TryParseExact(
            date, "yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal | DateTimeStyles.AdjustToUniversal,
            out var at)
            || !signed.Scope.StartsWith(date[..8], StringComparison.Ordinal))
        {
            throw Authorization.Incomplete("X-Amz-Date must be given, as YYYYMMDDTHHMMSSZ, on the day of the credential's scope");
        }
        var now = time.GetUtcNow().UtcDateTime;
        if (at < now - LargestSkew)
            throw OutOfTime(
                $"Signature expired: {date} is now earlier than {Text(now - LargestSkew)} ({Text(now)} - "
                    + $"{LargestSkew.TotalMinutes:0} min.)");
        if (at > now + LargestSkew)
            throw OutOfTime(
                $"Signature not yet current: {date} is still later than {Text(now + LargestSkew)} ({Text(now)} + "
                    + $"{LargestSkew.TotalMinutes:0} min.)");
        return signed;
    }

    /// <exception cref="SqsErrorException">The signature does not match, or is for another service.</exception>
    /// <param name="request">As it came.</param>
    /// <param name="body">All of it.</param>
    /// <param name="signed">The result of <see cref="Read"/>.</param>
    /// <param name="service">Such as <c>sqs</c>.</param>
    public void Check(HttpRequest request, ReadOnlySpan<byte> body, Authorization signed, string service)
    {
        if (!signed.IsFor(service))
            throw new SqsErrorException(SqsError.InvalidSignature, $"Credential should be scoped to correct service: '{service}'.");
        if (!CryptographicOperations.FixedTimeEquals(Encoding.ASCII.GetBytes(signed.Signature), Signature(request, body, signed)))
        {
            throw new SqsErrorException(
                SqsError.InvalidSignature,
                "The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and "
                    + "signing method.");
        }
    }

    // A page whose name is made to lead here (DNS rebinding) has a name, not an address. Such a page knows the default key, as everyone
    // does.
    private bool IsHere(HostString host) =>
        Loopback.Has(host) || IPAddress.TryParse(host.Host, out _) || _hosts.Contains(host.Host, StringComparer.OrdinalIgnoreCase);

    private static string Text(DateTime time) => time.ToString("yyyyMMdd'T'HHmmss'Z'", CultureInfo.InvariantCulture);

    // In the words of SQS, which clients look for.
    private static SqsErrorException OutOfTime(string message) => new(SqsError.InvalidSignature, message);

    private byte[] Signature(HttpRequest request, ReadOnlySpan<byte> body, Authorization signed)
    {
        using var text = new PooledBytes(1024);
        CanonicalRequest.Write(text, request, signed, body);
        Span<byte> hash = stackalloc byte[SHA256.HashSizeInBytes];
        SHA256.HashData(text.Written.Span, hash);
        text.Clear();
        var date = request.Headers["X-Amz-Date"].ToString();
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
