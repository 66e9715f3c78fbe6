namespace PubSubOverWs.LocalSqs;

/// <summary>A message body as the queue keeps it.</summary>
/// <param name="Literal">
/// The JSON string literal it came as, quotes and escapes included: it goes out again as it is, never escaped anew.
/// </param>
/// <param name="Length">Octets of the text itself, in UTF-8.</param>
/// <param name="Md5">Of the text itself.</param>
public readonly record struct MessageBody(byte[] Literal, int Length, Md5Sum Md5);
