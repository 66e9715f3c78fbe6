using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.Relay;

/// <summary>
/// A step that is slow on purpose, where a message goes to its subscribers, section <c>Relay:Delivery</c>: for experiments with a server
/// that gets more than it can deliver, which is then exactly <see cref="AtATime"/> / <see cref="Cost"/>. Off by default.
/// </summary>
public sealed class DeliveryOptions
{
    /// <summary>How long delivering one message takes, however many subscribers of a topic get a copy. 0 (off: no step) to 1 min.</summary>
    [Range(typeof(TimeSpan), "00:00:00", "00:01:00")]
    public TimeSpan Cost { get; set; } = TimeSpan.Zero;

    /// <summary>
    /// Messages that may be in the step at the same time, 1 to 1,000,000; the next one finds no room. Without meaning while
    /// <see cref="Cost"/> is 0.
    /// </summary>
    [Range(1, 1_000_000)]
    public int AtATime { get; set; } = 1;
}
