using System.Text.Json.Serialization;

namespace PubSubOverWs.Relay;

/// <summary>A user as the file of users has it.</summary>
internal sealed record UserEntry
{
    public required string Login { get; init; }

    /// <summary>As <see cref="PasscodeHash"/> writes it; null: the user has none, and comes with a token.</summary>
    public string? Passcode { get; init; }

    /// <summary>As <see cref="BearerToken.Hash"/> makes it; null: the user has none.</summary>
    public string? Token { get; init; }

    // Not init: the source generator would set what the file leaves out to null.

    /// <summary>What destinations to which the user may publish begin with; <c>/</c>: all.</summary>
    public IReadOnlyList<string> Publish { get; set; } = [];

    /// <summary>What destinations to which the user may subscribe begin with; <c>/</c>: all.</summary>
    public IReadOnlyList<string> Subscribe { get; set; } = [];
}

/// <summary>The file of users as a whole.</summary>
internal sealed record UsersDocument(IReadOnlyList<UserEntry> Users);

// A misspelt name would otherwise take a right away, or a passcode, without a word; so would the second of two.
[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase,
    UnmappedMemberHandling = JsonUnmappedMemberHandling.Disallow,
    AllowDuplicateProperties = false,
    DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull,
    WriteIndented = true)]
[JsonSerializable(typeof(UsersDocument))]
internal sealed partial class UsersJson : JsonSerializerContext;
