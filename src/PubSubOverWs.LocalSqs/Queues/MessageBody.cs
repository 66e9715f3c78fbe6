namespace PubSubOverWs.LocalSqs;

/// <summary>A message body as the queue keeps it.</summary>
/// <param name="Literal">
/// The JSON string literal as it came, with quotes and escapes: it is returned unchanged, never escaped anew.
/// </param>
/// <param name="Length">Octets of the text itself, in UTF-8.</param>
/// <param name="Md5">Of the text itself.</param>
public readonly record struct MessageBody(byte[] Literal, int Length, Md5Sum Md5);
