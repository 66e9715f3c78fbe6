using System.Security.Cryptography;
using Microsoft.AspNetCore.Http.HttpResults;
using Microsoft.AspNetCore.Routing;
using Microsoft.Net.Http.Headers;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// The page that both servers serve at <c>/</c>, with its files below <c>/page/</c>: a STOMP client for a browser. Every client gets the
/// same bytes, whatever the server is and whether it has users, so that they tell nothing (docs/decisions/0170).
/// </summary>
internal static class PageFiles
{
    /// <summary>
    /// No script, style or connection but those of this server, nothing inline, and no text that becomes markup. The page cannot be framed.
    /// </summary>
    public const string ContentSecurityPolicy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
        + "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

    private const string Index = "index.html";
    private const string Prefix = "page/";
    private static readonly string[] Methods = [HttpMethods.Get, HttpMethods.Head];

    public static IReadOnlyList<PageFile> All { get; } =
    [
        .. typeof(PageFiles).Assembly.GetManifestResourceNames().Where(name => name.StartsWith(Prefix, StringComparison.Ordinal))
            .Order(StringComparer.Ordinal).Select(Read),
    ];

    /// <summary>Other methods than GET and HEAD are answered with 405.</summary>
    public static void Map(IEndpointRouteBuilder routes)
    {
        foreach (var file in All)
            routes.MapMethods(file.Path, Methods, (HttpContext context) => Answer(context, file));
    }

    private static FileContentHttpResult Answer(HttpContext context, PageFile file)
    {
        var headers = context.Response.Headers;
        headers.ContentSecurityPolicy = ContentSecurityPolicy;
        headers.XContentTypeOptions = "nosniff";
        headers["Referrer-Policy"] = "no-referrer";
        headers["Cross-Origin-Resource-Policy"] = "same-origin";
        // Asked for again each time, and sent only if it is another: after an update no part of the page is an old one.
        headers.CacheControl = "no-cache";
        // A page that no other can reach into has a clock of 5 us, others one of 100 us. Browsers do so for trustworthy origins only, and
        // complain elsewhere.
        if (context.Request.IsHttps || Loopback.Has(context.Request.Host))
        {
            headers["Cross-Origin-Opener-Policy"] = "same-origin";
            headers["Cross-Origin-Embedder-Policy"] = "require-corp";
        }
        return TypedResults.Bytes(file.Content, file.ContentType, entityTag: file.Tag);
    }

    private static PageFile Read(string resource)
    {
        using var stream = typeof(PageFiles).Assembly.GetManifestResourceStream(resource)!;
        var content = new byte[stream.Length];
        stream.ReadExactly(content);
        var name = resource[Prefix.Length..];
        return new PageFile(
            name == Index ? "/" : $"/{resource}", GetContentType(name), content,
            new EntityTagHeaderValue($"\"{Convert.ToHexStringLower(SHA256.HashData(content).AsSpan(0, 16))}\""));
    }

    private static string GetContentType(string name) => Path.GetExtension(name) switch
    {
        ".html" => "text/html; charset=utf-8",
        ".css" => "text/css; charset=utf-8",
        ".js" => "text/javascript; charset=utf-8",
        ".svg" => "image/svg+xml",
        var other => throw new InvalidOperationException($"The page has a file {name}, and no content type for {other}."),
    };
}

/// <summary>A file of the page.</summary>
/// <param name="Path">Where it is served: <c>/</c>, or such as <c>/page/stomp.js</c>.</param>
internal sealed record PageFile(string Path, string ContentType, byte[] Content, EntityTagHeaderValue Tag);
