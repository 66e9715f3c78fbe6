using System.Text.Json;
using System.Text.Json.Serialization;

namespace PubSubOverWs.Relay;

/// <summary>The users file: JSON that <c>users add</c> writes and people may edit.</summary>
internal static class UsersFile
{
    /// <exception cref="StartFailedException">It is missing, not a JSON document of users, or an entry is invalid.</exception>
    public static UsersDocument Read(string path)
    {
        try
        {
            var document = Parse(File.ReadAllText(path), path);
            Check(document, path);
            return document;
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new StartFailedException(
                $"The users file cannot be read: {failure.Message} Check Access:UsersFile, and that this program may read the file.");
        }
    }

    public static string Write(UsersDocument document) => JsonSerializer.Serialize(document, UsersJson.Default.UsersDocument) + "\n";

    private static UsersDocument Parse(string text, string path)
    {
        try
        {
            return JsonSerializer.Deserialize(text, UsersJson.Default.UsersDocument) is { Users: not null } document
                ? document
                : throw new JsonException("It has no list 'users'.");
        }
        catch (JsonException failure)
        {
            // It counts lines and bytes from 0.
            var place = failure is { LineNumber: { } line, BytePositionInLine: { } at } ? $"line {line + 1}, column {at + 1}: " : "";
            throw new StartFailedException(
                $"The users file {path} cannot be understood: {place}{failure.Message.Split(" Path:")[0]} Correct it, or create "
                    + "it again with 'users add'.");
        }
    }

    private static void Check(UsersDocument document, string path)
    {
        var logins = new HashSet<string>(StringComparer.Ordinal);
        var tokens = new HashSet<string>(StringComparer.Ordinal);
        Demand(document.Users.Count > 0, path, "has no user: add one with 'users add'.");
        foreach (var entry in document.Users)
        {
            Demand(entry is { Login.Length: > 0 }, path, "has a user without a login: name it.");
            Demand(logins.Add(entry.Login), path, $"has the user '{entry.Login}' twice: remove one.");
            Demand(entry.Passcode is not null || entry.Token is not null, path,
                $"gives the user '{entry.Login}' neither passcode nor token: no login is possible.");
            Demand(entry.Passcode is null || PasscodeHash.TryParse(entry.Passcode) is not null, path,
                $"has a passcode of the user '{entry.Login}' that is none: only what 'users add' writes is one, with "
                    + $"{PasscodeHash.Advised} iterations or more.");
            Demand(entry.Token is null || BearerToken.IsHash(entry.Token), path,
                $"has a token of the user '{entry.Login}' that is none: only what 'users add' writes is one.");
            Demand(entry.Token is null || tokens.Add(entry.Token), path,
                $"gives the user '{entry.Login}' a token that another user has: make one for each with 'users add'.");
            Demand(entry.Publish is not null && entry.Subscribe is not null
                && entry.Publish.Concat(entry.Subscribe).All(prefix => prefix is ['/', ..]), path,
                $"has a destination of the user '{entry.Login}' that does not begin with a slash: write such as /queue/orders/, or / for "
                    + "all.");
        }
    }

    private static void Demand(bool holds, string path, string otherwise)
    {
        if (!holds)
            throw new StartFailedException($"The users file {path} {otherwise}");
    }
}

/// <summary>A user in the users file.</summary>
internal sealed record UserEntry
{
    public required string Login { get; init; }

    /// <summary>As <see cref="PasscodeHash"/> writes it; null: the user has a token only.</summary>
    public string? Passcode { get; init; }

    /// <summary>As <see cref="BearerToken.Hash"/> makes it; null: the user has none.</summary>
    public string? Token { get; init; }

    // Not init: the source generator would set what the file leaves out to null.

    /// <summary>Prefixes of the destinations that the user may publish to; <c>/</c>: all.</summary>
    public IReadOnlyList<string> Publish { get; set; } = [];

    /// <summary>Prefixes of the destinations that the user may subscribe to; <c>/</c>: all.</summary>
    public IReadOnlyList<string> Subscribe { get; set; } = [];
}

/// <summary>The users file as a whole.</summary>
internal sealed record UsersDocument(IReadOnlyList<UserEntry> Users);

// Otherwise a misspelt name, or the second of two, would silently remove a permission or a passcode.
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    AllowDuplicateProperties = false,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    WriteIndented = true)]
[JsonSerializable(typeof(UsersDocument))]
internal sealed partial class UsersJson : JsonSerializerContext;
