namespace PubSubOverWs.Experiment.Records;

/// <summary>
/// Bytes the server under test sent to its clients, counted where they leave, from just before the burst until the drain ended.
/// </summary>
/// <param name="Payload">Message bodies.</param>
/// <param name="Stomp">Commands, headers and the closing NUL.</param>
/// <param name="WebSocket">Frame headers.</param>
/// <param name="Total">As counted by the server; the three kinds add up to it.</param>
public readonly record struct ClientBytes(long Payload, long Stomp, long WebSocket, long Total)
{
    public ClientBytes Add(ClientBytes other) =>
        new(Payload + other.Payload, Stomp + other.Stomp, WebSocket + other.WebSocket, Total + other.Total);
}
