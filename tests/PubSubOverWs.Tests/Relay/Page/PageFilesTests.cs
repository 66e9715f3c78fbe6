using System.Net;
using System.Net.Http.Headers;
using System.Text;
using System.Text.RegularExpressions;
using Microsoft.AspNetCore.Builder;
using Microsoft.AspNetCore.TestHost;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Page;

public sealed partial class PageFilesTests : IAsyncLifetime
{
    private const int MaxBytes = 150 * 1024;

    private readonly WebApplication _app = Build();
    private HttpClient _http = null!;

    public async Task InitializeAsync()
    {
        PageFiles.Map(_app);
        await _app.StartAsync();
        _http = _app.GetTestClient();
    }

    public async Task DisposeAsync() => await _app.DisposeAsync();

    public static TheoryData<string> Paths => [.. PageFiles.All.Select(file => file.Path)];

    [Fact]
    public void The_page_and_all_that_it_loads_are_small_together() =>
        Assert.InRange(PageFiles.All.Sum(file => file.Content.Length), 1, MaxBytes);

    [Fact]
    public void Every_file_that_the_page_and_its_modules_name_is_there_and_every_file_is_named() => Assert.Equal(
        PageFiles.All.Select(file => file.Path).Where(path => path != "/").Order(StringComparer.Ordinal),
        PageFiles.All.SelectMany(Named).Distinct().Order(StringComparer.Ordinal));

    [Fact]
    public void Nothing_in_the_page_is_inline_and_nothing_is_elsewhere()
    {
        Assert.All(PageFiles.All.Where(file => file.Path != "/page/icon.svg"), file => Assert.DoesNotMatch(Elsewhere(), Text(file)));
        Assert.DoesNotMatch(Inline(), Text(PageFiles.All.Single(file => file.Path == "/")));
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task A_file_is_sent_with_its_type_and_the_rules_that_keep_others_out(string path)
    {
        using var response = await _http.GetAsync(new Uri(path, UriKind.Relative));

        Assert.Equal(HttpStatusCode.OK, response.StatusCode);
        Assert.Equal(PageFiles.All.Single(file => file.Path == path).Content, await response.Content.ReadAsByteArrayAsync());
        Assert.Equal(GetContentType(path), response.Content.Headers.ContentType!.MediaType);
        string Header(string name) => string.Join(", ", response.Headers.GetValues(name));
        Assert.Equal("nosniff", Header("X-Content-Type-Options"));
        Assert.Equal("no-cache", Header("Cache-Control"));
        Assert.Equal("no-referrer", Header("Referrer-Policy"));
        Assert.StartsWith("default-src 'none'; script-src 'self'; style-src 'self';", Header("Content-Security-Policy"),
            StringComparison.Ordinal);
        Assert.DoesNotContain("unsafe", Header("Content-Security-Policy"), StringComparison.Ordinal);
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task A_file_that_the_browser_has_is_not_sent_again(string path)
    {
        using var first = await _http.GetAsync(new Uri(path, UriKind.Relative));
        using var request = new HttpRequestMessage(HttpMethod.Get, path);
        request.Headers.IfNoneMatch.Add(first.Headers.ETag!);
        using var again = await _http.SendAsync(request);

        Assert.Equal(HttpStatusCode.NotModified, again.StatusCode);
        Assert.Empty(await again.Content.ReadAsByteArrayAsync());
        using var withOld = new HttpRequestMessage(HttpMethod.Get, path);
        withOld.Headers.IfNoneMatch.Add(new EntityTagHeaderValue("\"old\""));
        using var changed = await _http.SendAsync(withOld);
        Assert.Equal(HttpStatusCode.OK, changed.StatusCode);
    }

    [Theory]
    [MemberData(nameof(Paths))]
    public async Task A_file_answers_GET_and_HEAD_and_no_other_method(string path)
    {
        using var head = await _http.SendAsync(new HttpRequestMessage(HttpMethod.Head, path));
        Assert.Equal(HttpStatusCode.OK, head.StatusCode);
        Assert.Equal(PageFiles.All.Single(file => file.Path == path).Content.Length, head.Content.Headers.ContentLength);
        foreach (var method in new[] { HttpMethod.Post, HttpMethod.Put, HttpMethod.Delete, HttpMethod.Options })
        {
            using var refused = await _http.SendAsync(new HttpRequestMessage(method, path));
            Assert.Equal(HttpStatusCode.MethodNotAllowed, refused.StatusCode);
            Assert.Equal(["GET", "HEAD"], refused.Content.Headers.Allow.Order(StringComparer.Ordinal));
        }
    }

    [Theory]
    [InlineData("http://localhost/", true)]
    [InlineData("http://127.0.0.1:5001/", true)]
    [InlineData("https://relay.example/", true)]
    [InlineData("http://relay.example/", false)]
    public async Task Only_where_browsers_trust_the_address_is_the_page_isolated(string address, bool isIsolated)
    {
        using var response = await _http.GetAsync(new Uri(address));

        Assert.Equal(isIsolated, response.Headers.Contains("Cross-Origin-Opener-Policy"));
        Assert.Equal(isIsolated, response.Headers.Contains("Cross-Origin-Embedder-Policy"));
    }

    [Theory]
    [InlineData("/page/")]
    [InlineData("/page/index.html")]
    [InlineData("/page/package.json")]
    [InlineData("/page/PageFiles.cs")]
    [InlineData("/page/../PageFiles.cs")]
    public async Task There_is_nothing_else(string path)
    {
        using var response = await _http.GetAsync(new Uri(path, UriKind.Relative));

        Assert.Equal(HttpStatusCode.NotFound, response.StatusCode);
    }

    private static WebApplication Build()
    {
        var builder = WebApplication.CreateSlimBuilder();
        builder.WebHost.UseTestServer();
        return builder.Build();
    }

    private static string GetContentType(string path) => Path.GetExtension(path) switch
    {
        ".js" => "text/javascript",
        ".css" => "text/css",
        ".svg" => "image/svg+xml",
        _ => "text/html",
    };

    private static string Text(PageFile file) => Encoding.UTF8.GetString(file.Content);

    // Of the page itself as they are, and of a module beside it.
    private static IEnumerable<string> Named(PageFile file) => file.Path == "/"
        ? Reference().Matches(Text(file)).Select(match => $"/{match.Groups["path"].Value}")
        : Import().Matches(Text(file)).Select(match => $"/page/{match.Groups["path"].Value}");

    [GeneratedRegex("(?:href|src)=\"(?<path>[^\"#]+)\"")]
    private static partial Regex Reference();

    [GeneratedRegex("^(?:import|export) .*from \"\\./(?<path>[^\"]+)\";$", RegexOptions.Multiline)]
    private static partial Regex Import();

    // Sources of rules are named in comments.
    [GeneratedRegex("^(?!//).*(?:https?:|\\bws:)//", RegexOptions.Multiline)]
    private static partial Regex Elsewhere();

    [GeneratedRegex("<script(?![^>]* src=)|<style|\\bstyle=|\\bon[a-z]+=|javascript:", RegexOptions.IgnoreCase)]
    private static partial Regex Inline();
}
