using System.Text.Encodings.Web;
using System.Text.Json;

namespace PubSubOverWs.PubSubServer;

/// <summary>The property names of an envelope, encoded once.</summary>
internal static class EnvelopeNames
{
    /// <summary>
    /// Escapes quotes, backslashes, control characters and U+FFFE and U+FFFF, which is more than SQS forbids, and leaves other scripts as
    /// they are: an SQS body is never shown as HTML.
    /// </summary>
    public static readonly JavaScriptEncoder Escaping = JavaScriptEncoder.UnsafeRelaxedJsonEscaping;

    public static readonly JsonEncodedText Version = JsonEncodedText.Encode("version");
    public static readonly JsonEncodedText Origin = JsonEncodedText.Encode("origin");
    public static readonly JsonEncodedText Node = JsonEncodedText.Encode("node");
    public static readonly JsonEncodedText Connection = JsonEncodedText.Encode("connection");
    public static readonly JsonEncodedText Messages = JsonEncodedText.Encode("messages");
    public static readonly JsonEncodedText Id = JsonEncodedText.Encode("id");
    public static readonly JsonEncodedText Destination = JsonEncodedText.Encode("destination");
    public static readonly JsonEncodedText Headers = JsonEncodedText.Encode("headers");

    /// <summary>How many deliveries of it failed. Written, even if that is 0, of a message that was with a subscriber before.</summary>
    public static readonly JsonEncodedText Deliveries = JsonEncodedText.Encode("deliveries");

    /// <summary>The body as it is.</summary>
    public static readonly JsonEncodedText Body = JsonEncodedText.Encode("body");

    /// <summary>The body in base64.</summary>
    public static readonly JsonEncodedText Body64 = JsonEncodedText.Encode("body64");

    /// <summary>
    /// Whether it came in a WebSocket text message. Written only where it is not what the kind of body suggests: <c>body</c> true,
    /// <c>body64</c> false.
    /// </summary>
    public static readonly JsonEncodedText Text = JsonEncodedText.Encode("text");
}
