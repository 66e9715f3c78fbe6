namespace PubSubOverWs.LoadTest.Network.Toxics;

/// <summary>
/// What one toxic does to one direction of one connection. It knows no clock and waits for nothing: it says when what is due.
/// </summary>
public interface IEffect
{
    /// <summary>Adds what becomes of a piece, in order: never more bytes, and due no earlier than what was added before.</summary>
    /// <param name="piece">Due no earlier than the one before.</param>
    /// <param name="output">What passes on.</param>
    void Take(Piece piece, List<Piece> output);
}
