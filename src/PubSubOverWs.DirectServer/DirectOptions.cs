using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.DirectServer;

/// <summary>
/// What the direct server keeps in memory, section <c>Direct</c>: nothing by default. For the third arm of experiments with faults.
/// </summary>
internal sealed class DirectOptions
{
    /// <summary>
    /// Messages that may wait in memory for room, or for a subscriber of their queue, 0 (off: what nobody can take now is dropped) to
    /// 1,000,000. They are lost when the process ends.
    /// </summary>
    [Range(0, 1_000_000)]
    public int Buffer { get; set; }

    /// <summary>Body bytes that may wait likewise, 1 KiB to 4 GiB; one message is always let in while nothing waits.</summary>
    [Range(1L << 10, 1L << 32)]
    public long BufferBytes { get; set; } = 256 << 20;
}
