using System.Runtime.Versioning;
using PubSubOverWs.Relay;

namespace PubSubOverWs.Tests.Relay.Access;

public sealed class UsersFileTests : IDisposable
{
    private const string Alice = $$"""{ "login": "alice", "token": "{{AccessFolder.TokenHash}}" }""";

    private readonly AccessFolder _folder = new();
    private readonly StringWriter _output = new();

    private string File => _folder.PathOf("users.json");

    public void Dispose()
    {
        _output.Dispose();
        _folder.Dispose();
    }

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

    [Fact]
    public void Without_a_file_the_command_prints_one_that_a_server_takes()
    {
        Add("add alice --publish /queue/ --publish /topic/ --subscribe /", "secret word\n");

        var alice = Assert.Single(UsersFile.Read(_folder.Write("printed.json", _output.ToString())).Users);
        Assert.Equal(("alice", null), (alice.Login, alice.Token));
        Assert.Equal(["/queue/", "/topic/"], alice.Publish);
        Assert.Equal(["/"], alice.Subscribe);
        Assert.True(PasscodeHash.TryParse(alice.Passcode!)!.Matches("secret word", atLeast: 0));
        Assert.DoesNotContain("secret word", _output.ToString(), StringComparison.Ordinal);
    }

    [Fact]
    public void The_command_adds_to_a_file_and_replaces_the_user_of_the_same_login()
    {
        Add($"add alice --publish / --file {File}", "secret word");
        Add($"add bob --publish / --file {File}", "secret word");
        Add($"add alice --subscribe / --file {File}", "another word");

        var users = UsersFile.Read(File).Users;
        Assert.Equal(["bob", "alice"], users.Select(user => user.Login));
        Assert.Empty(users[1].Publish);
        Assert.Empty(_output.ToString());
    }

    [Fact]
    public void A_token_is_written_to_a_file_of_its_own_and_only_its_hash_to_that_of_the_users()
    {
        var path = _folder.PathOf("token");

        var sentence = Add($"add robot --publish / --file {File} --token-file {path}", input: null);

        var token = System.IO.File.ReadAllText(path).TrimEnd();
        var robot = Assert.Single(UsersFile.Read(File).Users);
        Assert.Equal((null, BearerToken.Hash(token)), (robot.Passcode, robot.Token));
        Assert.Equal(43, token.Length);
        Assert.DoesNotContain(token, System.IO.File.ReadAllText(File) + sentence + _output, StringComparison.Ordinal);
    }

    [Fact]
    public void A_passcode_may_come_from_a_file_beside_a_token()
    {
        var passcode = _folder.Write("passcode", "secret word\n");

        Add($"add both --publish / --file {File} --passcode-file {passcode} --token-file {_folder.PathOf("token")}", input: null);

        var both = Assert.Single(UsersFile.Read(File).Users);
        Assert.True(PasscodeHash.TryParse(both.Passcode!)!.Matches("secret word", atLeast: 0));
        Assert.NotNull(both.Token);
    }

    [UnixFact]
    [UnsupportedOSPlatform("windows")]
    public void New_files_are_readable_by_their_owner_only_and_old_ones_keep_their_rights()
    {
        const UnixFileMode owner = UnixFileMode.UserRead | UnixFileMode.UserWrite;
        Add($"add alice --publish / --file {File}", "secret word");
        Assert.Equal(owner, System.IO.File.GetUnixFileMode(File));

        // More than the mask of a process usually leaves.
        const UnixFileMode shared = owner | UnixFileMode.GroupRead | UnixFileMode.GroupWrite;
        System.IO.File.SetUnixFileMode(File, shared);
        Add($"add bob --publish / --file {File}", "secret word");

        Assert.Equal(shared, System.IO.File.GetUnixFileMode(File));
    }

    [Fact]
    public void A_link_beside_the_users_file_is_neither_written_nor_followed()
    {
        var (beside, elsewhere) = (_folder.PathOf("users.json.new"), _folder.Write("elsewhere", "before"));
        System.IO.File.CreateSymbolicLink(beside, elsewhere);

        Add($"add alice --publish / --file {File}", "secret word");

        Assert.Equal("before", System.IO.File.ReadAllText(elsewhere));
        Assert.Equal(
            ["elsewhere", "users.json", "users.json.new"], Directory.GetFiles(_folder.PathOf("")).Select(Path.GetFileName).Order());
    }

    [Theory]
    [InlineData("", "Write users add LOGIN")]
    [InlineData("remove alice", "Write users add LOGIN")]
    [InlineData("add --publish /", "Write users add LOGIN")]
    [InlineData("add alice", "The user 'alice' may do nothing")]
    [InlineData("add alice --passcode secret-word", "'users add' has no option '--passcode'")]
    [InlineData("add alice --publish", "'--publish' stands alone")]
    [InlineData("add alice --publish queue", "'queue' is no beginning of a destination")]
    [InlineData("add alice --publish / --passcode-file nowhere", "The passcode cannot be read")]
    [InlineData("add alice --publish / --file nowhere/users.json", "The user 'alice' was not added")]
    public void Invalid_arguments_are_refused_in_a_sentence(string words, string sentence) =>
        Assert.StartsWith(sentence, Assert.Throws<StartFailedException>(() => Add(words, "secret word")).Message, StringComparison.Ordinal);

    [Theory]
    [InlineData(null, "The passcode would be seen on the terminal")]
    [InlineData("", "The passcode on standard input is shorter than 8 characters")]
    [InlineData("seven77\n", "The passcode on standard input is shorter than 8 characters")]
    [InlineData("secret word \n", "The passcode on standard input begins or ends with a space")]
    public void A_passcode_that_would_be_visible_or_is_short_or_has_spaces_around_it_is_refused(string? input, string sentence) =>
        Assert.StartsWith(
            sentence, Assert.Throws<StartFailedException>(() => Add("add alice --publish /", input)).Message, StringComparison.Ordinal);

    private string Add(string words, string? input)
    {
        using var reader = new StringReader(input ?? "");
        return UsersAdd.Parse(words.Split(' ', StringSplitOptions.RemoveEmptyEntries)).Run(input is null ? null : reader, _output);
    }
}
