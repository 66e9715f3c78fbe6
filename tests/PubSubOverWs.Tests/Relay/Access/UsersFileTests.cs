using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class UsersFileTests : IDisposable
{
    private const string Alice = $$"""{ "login": "alice", "token": "{{AccessFolder.TokenHash}}" }""";

    private readonly AccessFolder _folder = new();

    [Theory]
    [InlineData("", "cannot be understood")]
    [InlineData("{}", "cannot be understood")]
    [InlineData("null", "cannot be understood")]
    [InlineData("""{ "users": null }""", "cannot be understood")]
    [InlineData("""{ "users": [] }""", "has no user")]
    [InlineData("""{ "users": [null] }""", "without a login")]
    [InlineData("""{ "users": [{ "login": "", "token": "x" }] }""", "without a login")]
    [InlineData("""{ "users": [{ "login": "alice" }] }""", "neither passcode nor token")]
    [InlineData("""{ "users": [{ "login": "alice", "passcode": "secret word" }] }""", "a passcode of the user 'alice' that is none")]
    [InlineData("""{ "users": [{ "login": "alice", "token": "secret word" }] }""", "a token of the user 'alice' that is none")]
    [InlineData("""{ "users": [{ "login": "alice", "paswcode": "secret word" }] }""", "cannot be understood")]
    [InlineData("""{ "users": [{ "login": "alice", "login": "bob", "token": "secret word" }] }""", "cannot be understood")]
    [InlineData($$"""{ "users": [{{Alice}}, {{Alice}}] }""", "the user 'alice' twice")]
    [InlineData(
        $$"""{ "users": [{{Alice}}, { "login": "bob", "token": "{{AccessFolder.TokenHash}}" }] }""", "a token that another user has")]
    public void An_invalid_users_file_is_refused_at_start_without_repeating_a_secret(string text, string sentence)
    {
        var path = _folder.Write("users.json", text);

        var refusal = Assert.Throws<StartFailedException>(() => UsersFile.Read(path));

        Assert.StartsWith($"The users file {path} ", refusal.Message, StringComparison.Ordinal);
        Assert.Contains(sentence, refusal.Message, StringComparison.Ordinal);
        Assert.DoesNotContain("secret word", refusal.Message, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("publish", """["queue"]""")]
    [InlineData("subscribe", """["/queue/", ""]""")]
    [InlineData("subscribe", """[null]""")]
    public void A_prefix_begins_with_a_slash(string right, string prefixes)
    {
        var path = _folder.Write(
            "users.json", $$"""{ "users": [{ "login": "a", "token": "{{AccessFolder.TokenHash}}", "{{right}}": {{prefixes}} }] }""");

        var refusal = Assert.Throws<StartFailedException>(() => UsersFile.Read(path));
        Assert.Contains("does not begin with a slash", refusal.Message, StringComparison.Ordinal);
    }

    [Fact]
    public void A_file_that_is_not_there_is_named()
    {
        var path = _folder.PathOf("nowhere.json");

        Assert.Contains(path, Assert.Throws<StartFailedException>(() => UsersFile.Read(path)).Message, StringComparison.Ordinal);
    }

    public void Dispose() => _folder.Dispose();
}
