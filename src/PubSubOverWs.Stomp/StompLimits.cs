namespace PubSubOverWs.Stomp;

/// <summary>How large a frame may be; a larger one is refused with a <see cref="StompException"/> as early as possible.</summary>
public sealed class StompLimits
{
    /// <summary>Headers of one frame, repeated ones counted each time. Default 64.</summary>
    public int MaxHeaders { get; init; } = 64;

    /// <summary>Octets of all header lines of one frame, as they came (escaped, with their line ends). Default 8 KiB.</summary>
    public int MaxHeaderBytes { get; init; } = 8 * 1024;

    /// <summary>Octets of the body. Default 64 KiB.</summary>
    public int MaxBodyBytes { get; init; } = 64 * 1024;
}
