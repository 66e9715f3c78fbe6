using System.Text.Json.Serialization;

namespace PubSubOverWs.Relay;

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
