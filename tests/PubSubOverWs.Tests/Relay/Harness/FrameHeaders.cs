using PubSubOverWs.Tests.Stomp;

namespace PubSubOverWs.Tests.Relay;

internal static class FrameHeaders
{
    /// <summary>The value of the first header of that name; null when there is none.</summary>
    public static string? Header(this PlainFrame frame, string name) =>
        frame.Headers.Where(header => header.Name == name).Select(header => header.Value).FirstOrDefault();
}
