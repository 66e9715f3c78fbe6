using System.Text.Json;
using System.Text.Json.Serialization;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// What a node tells all others, through queues for this alone, so that no messages are in its way: which <c>/queue/</c> destinations have
/// a subscriber there. At each change it says what changed, and at intervals everything, so that a lost or late one does no lasting harm;
/// hearing from a node also means that it lives.
/// </summary>
/// <param name="Node">Its id.</param>
/// <param name="QueueUrl">Of its own queue.</param>
/// <param name="Number">Counts its announcements from 1: where two say different things, the higher one is right.</param>
/// <param name="Part">From 0: which part of the whole this is.</param>
/// <param name="Parts">How many parts the whole has, all of the same number; 0: this is a change.</param>
/// <param name="Has">Destinations with a subscriber.</param>
/// <param name="HasNoMore">Destinations without, which had one.</param>
/// <param name="Leaves">It stops: what is in its queue is for others.</param>
internal sealed record Announcement(
    string Node, string QueueUrl, long Number, int Part, int Parts, IReadOnlyList<string> Has, IReadOnlyList<string> HasNoMore, bool Leaves)
{
    public byte[] Write() => JsonSerializer.SerializeToUtf8Bytes(this, AnnouncementJson.Default.Announcement);

    /// <returns>Null: it is something else.</returns>
    public static Announcement? TryRead(ReadOnlySpan<byte> body)
    {
        try
        {
            return JsonSerializer.Deserialize(body, AnnouncementJson.Default.Announcement);
        }
        catch (JsonException)
        {
            return null;
        }
    }
}

[JsonSourceGenerationOptions(
    PropertyNamingPolicy = JsonKnownNamingPolicy.CamelCase, RespectNullableAnnotations = true, RespectRequiredConstructorParameters = true)]
[JsonSerializable(typeof(Announcement))]
internal sealed partial class AnnouncementJson : JsonSerializerContext;
