using Microsoft.AspNetCore.Http;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

/// <summary>Origins and bearer tokens of a handshake.</summary>
public sealed class HandshakeAccessTests : IDisposable
{
    private readonly AccessFolder _folder = new();

    [Theory]
    [InlineData("", null, true)]
    [InlineData("", "https://evil.example", false)]
    [InlineData("", "null", false)]
    [InlineData("", "http://127.0.0.1:5000", true)]
    [InlineData("", "http://127.0.0.1:5001", false)]
    [InlineData("https://a.example, https://b.example:8443", "https://b.example:8443", true)]
    [InlineData("https://a.example, https://b.example:8443", "HTTPS://A.example", true)]
    [InlineData("https://a.example", "http://a.example", false)]
    [InlineData("https://a.example", "https://a.example.evil.example", false)]
    [InlineData("*", "https://evil.example", true)]
    [InlineData("", "127.0.0.1", true)]
    [InlineData("", "127.0.0.1:5000", true)]
    [InlineData("", "127.0.0.1:5001", false)]
    [InlineData("", "127.0.0.2", false)]
    [InlineData("", "evil.example", false)]
    public void A_page_may_connect_if_its_origin_is_listed_or_our_own_and_a_client_without_an_origin_may_too(
        string list, string? origin, bool isAllowed) =>
        Assert.Equal(isAllowed, new OriginRule(list, hasUsers: false).Allows(Request("127.0.0.1:5000", origin)));

    [Theory]
    [InlineData(true, "http://rebound.example")]
    [InlineData(false, "http://rebound.example")]
    [InlineData(true, "rebound.example")]
    [InlineData(false, "rebound.example")]
    public void A_name_that_may_come_from_DNS_rebinding_is_our_own_origin_only_if_clients_must_log_in(bool hasUsers, string origin) =>
        Assert.Equal(hasUsers, new OriginRule("", hasUsers).Allows(Request("rebound.example", origin)));

    [Fact]
    public void The_origin_null_is_refused_even_if_the_server_has_that_name() =>
        Assert.False(new OriginRule("", hasUsers: true).Allows(Request("null", "null")));

    [Theory]
    [InlineData("https://a.example", "Pages of https://a.example may not connect here: to allow them, add the origin to Access:Origins.")]
    [InlineData("192.0.2.1", "The header Origin is '192.0.2.1', which is no origin that Access:Origins could list: send none, or * there")]
    [InlineData("null", "The header Origin is 'null', which is no origin that Access:Origins could list: send none, or * there")]
    public void A_client_that_is_refused_is_told_which_setting_would_help(string origin, string sentence) =>
        Assert.StartsWith(sentence, OriginRule.Refusal(origin), StringComparison.Ordinal);

    [Theory]
    [InlineData("a.example")]
    [InlineData("https://a.example/")]
    [InlineData("https://a.example/page")]
    [InlineData("https://a.example,ws://b.example")]
    [InlineData("https://a.example:443")]
    [InlineData("http://a.example:80")]
    [InlineData("https://u@a.example")]
    [InlineData("https://bücher.example")]
    public void An_invalid_origin_or_one_that_browsers_write_otherwise_is_refused_at_start(string list) =>
        Assert.Contains(
            "Access:Origins", Assert.Throws<StartFailedException>(() => new OriginRule(list, hasUsers: true)).Message,
            StringComparison.Ordinal);

    [Theory]
    [InlineData("Bearer a-token", "", false, "robot")]
    [InlineData("bearer  a-token", "", false, "robot")]
    [InlineData("", "?access_token=a-token", true, "robot")]
    [InlineData("", "?access_token=a-token", false, null)]
    [InlineData("Basic a-token", "", false, null)]
    [InlineData("", "", true, null)]
    public void A_token_identifies_the_user_and_in_a_query_only_if_that_is_switched_on(
        string header, string query, bool inQuery, string? login)
    {
        var options = _folder.Options;
        options.TokenInQuery = inQuery;

        Assert.True(Open(options).TryIdentify(Request("a", null, header, query), out var user));
        Assert.Equal(login, user?.Login);
    }

    [Theory]
    [InlineData("Bearer another", "")]
    [InlineData("Bearer ", "")]
    [InlineData("", "?access_token=another")]
    public void An_unknown_token_is_refused_and_not_ignored(string header, string query)
    {
        var options = _folder.Options;
        options.TokenInQuery = true;

        Assert.False(Open(options).TryIdentify(Request("a", null, header, query), out _));
    }

    [Theory]
    [InlineData(false, false, null, null)]
    [InlineData(true, false, null, "/stats is closed: ")]
    [InlineData(true, true, null, "/stats wants the token ")]
    [InlineData(false, true, null, "/stats wants the token ")]
    [InlineData(true, true, "Bearer 0123456789abcdeF", "/stats wants the token ")]
    [InlineData(true, true, "Bearer 0123456789abcdef", null)]
    public void Stats_are_open_without_users_and_otherwise_only_with_their_token(
        bool hasUsers, bool hasToken, string? header, string? refusal)
    {
        var stats = new StatsAccess(hasToken ? _folder.Write("token", "0123456789abcdef\n") : "", hasUsers);

        var refused = stats.Refusal(Request("127.0.0.1", null, header ?? "", "?access_token=0123456789abcdef"));

        Assert.Equal(refusal is null ? null : 401, refused?.Status);
        Assert.StartsWith(refusal ?? "", refused?.Why ?? "", StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("localhost:5000", true)]
    [InlineData("127.0.0.9", true)]
    [InlineData("[::1]:5000", true)]
    [InlineData("rebound.example:5000", false)]
    [InlineData("127.0.0.1.rebound.example", false)]
    [InlineData("192.0.2.1", false)]
    [InlineData("", false)]
    public void Open_stats_are_shown_only_under_a_name_that_no_page_can_be_given(string host, bool isShown) =>
        Assert.Equal(isShown ? null : 403, new StatsAccess("", hasUsers: false).Refusal(Request(host, null))?.Status);

    [Fact]
    public void With_a_stats_token_the_host_name_does_not_matter() =>
        Assert.Null(
            new StatsAccess(_folder.Write("token", "0123456789abcdef"), hasUsers: false).Refusal(
                Request("stats.example", null, "Bearer 0123456789abcdef")));

    [Fact]
    public void A_token_that_could_be_guessed_and_a_file_that_is_not_there_are_refused_at_start()
    {
        var path = _folder.Write("token", "short");

        Assert.Equal(
            $"The token of /stats in {path} is shorter than 16 characters: make a longer one.",
            Assert.Throws<StartFailedException>(() => new StatsAccess(path, hasUsers: true)).Message);
        Assert.Throws<StartFailedException>(() => new StatsAccess(_folder.PathOf("nowhere"), hasUsers: true));
    }

    [Theory]
    [InlineData("0123456789abcdef\n0123456789abcdef\n", "has more than one line")]
    [InlineData(" 0123456789abcdef", "begins or ends with a space")]
    [InlineData("0123456789abcdef\t\n", "begins or ends with a space")]
    [InlineData("0123456789abcdé!", "has other characters than ASCII")]
    [InlineData("0123456789\u0007abcdef", "has control characters")]
    public void A_token_that_could_never_match_is_refused_at_start(string text, string fault) =>
        Assert.Contains(
            $" {fault}", Assert.Throws<StartFailedException>(() => new StatsAccess(_folder.Write("token", text), hasUsers: true)).Message,
            StringComparison.Ordinal);

    public void Dispose() => _folder.Dispose();

    private static Gate Open(AccessOptions options) => new(Microsoft.Extensions.Options.Options.Create(options), new FakeTime());

    private static HttpRequest Request(string host, string? origin, string authorization = "", string query = "")
    {
        var request = new DefaultHttpContext().Request;
        (request.Host, request.QueryString) = (new HostString(host), new QueryString(query));
        request.Headers.Origin = origin;
        request.Headers.Authorization = authorization;
        return request;
    }
}
