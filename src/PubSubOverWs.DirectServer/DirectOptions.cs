using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.DirectServer;

/// <summary>
/// The buffer of the direct server, section <c>Direct</c>: none by default. For the third arm of experiments with faults.
/// </summary>
internal sealed class DirectOptions
{
    /// <summary>
    /// Messages that may wait in memory for room, or for a subscriber of their queue, 0 (off: such messages are dropped) to 1,000,000. They
    /// are lost when the process ends.
    /// </summary>
    [Range(0, 1_000_000)]
    public int Buffer { get; set; }

    /// <summary>Bytes that these messages may take, 1 KiB to 4 GiB; while none waits, one message of any size may.</summary>
    [Range(1L << 10, 1L << 32)]
    public long BufferBytes { get; set; } = 256 << 20;
}
