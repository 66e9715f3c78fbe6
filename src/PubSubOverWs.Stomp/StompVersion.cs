namespace PubSubOverWs.Stomp;

/// <summary>A version of the protocol. For the codec they differ in the escapes of header names and values.</summary>
public enum StompVersion
{
    /// <summary>1.0: no escapes, no NACK.</summary>
    V10,

    /// <summary>1.1: <c>\n</c>, <c>\c</c>, <c>\\</c>.</summary>
    V11,

    /// <summary>1.2: <c>\r</c> as well.</summary>
    V12,
}
