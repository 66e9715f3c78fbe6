using System.Text.Json;
using System.Text.Json.Serialization;

namespace PubSubOverWs.PubSubServer;

/// <summary>
/// A message of a node to all others, through queues of its own so that no messages delay it: which <c>/queue/</c> destinations have a
/// subscriber there. It announces each change, and everything at intervals, so that a lost or late announcement does no lasting harm. An
/// announcement also shows that its node is alive.
/// </summary>
/// <param name="Node">Its id.</param>
/// <param name="QueueUrl">The node's own queue.</param>
/// <param name="Number">
/// When it was made, a timestamp of the node's clock, and higher than that of its last: of two that disagree, the higher one is right.
/// </param>
/// <param name="Part">From 0: which part of the whole this is.</param>
/// <param name="Parts">How many parts the whole has, all of the same number; 0: this is a change.</param>
/// <param name="Has">Destinations with a subscriber.</param>
/// <param name="HasNoMore">Destinations without, which had one.</param>
/// <param name="Leaves">The node stops, and others take over its queue.</param>
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
