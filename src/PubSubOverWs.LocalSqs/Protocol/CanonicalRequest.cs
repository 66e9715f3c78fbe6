using System.Buffers;
using System.Security.Cryptography;
using System.Text;

namespace PubSubOverWs.LocalSqs;

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
