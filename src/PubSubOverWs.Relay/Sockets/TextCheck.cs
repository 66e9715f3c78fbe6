using System.Buffers;
using System.Text;
using System.Text.Unicode;

namespace PubSubOverWs.Relay;

/// <summary>Whether a text that comes in pieces is UTF-8, as far as it has come: a piece may end within a character.</summary>
internal struct TextCheck
{
    private const int MaxBytes = 4;
    private const int ContinuationBits = 0xC0, Continuation = 0x80, Ascii = 0x7F;

    // The beginning of a character whose rest has not come: its bytes, the first lowest, and how many.
    private uint _begun;
    private int _count;

    /// <summary>The text does not end within a character.</summary>
    public readonly bool IsWhole => _count == 0;

    /// <returns>False: the text is not UTF-8, whatever follows.</returns>
    public bool Take(ReadOnlySpan<byte> piece)
    {
        while (_count > 0 && !piece.IsEmpty)
        {
            if (!TakeByte(piece[0]))
                return false;
            piece = piece[1..];
        }
        if (piece.IsEmpty)
            return true;
        var end = EndOfWhole(piece);
        if (!Utf8.IsValid(piece[..end]))
            return false;
        foreach (var one in piece[end..])
        {
            if (!TakeByte(one))
                return false;
        }
        return true;
    }

    private bool TakeByte(byte one)
    {
        Span<byte> bytes = stackalloc byte[MaxBytes];
        for (var i = 0; i < _count; i++)
            bytes[i] = (byte)(_begun >> (8 * i));
        bytes[_count] = one;
        switch (Rune.DecodeFromUtf8(bytes[..(_count + 1)], out _, out _))
        {
            case OperationStatus.Done:
                _begun = 0;
                _count = 0;
                return true;
            case OperationStatus.NeedMoreData:
                _begun |= (uint)one << (8 * _count++);
                return true;
            default:
                return false;
        }
    }

    // Where the last character begins, if it may be one of several bytes of which some have not come; otherwise the end.
    private static int EndOfWhole(ReadOnlySpan<byte> piece)
    {
        if (piece[^1] <= Ascii)
            return piece.Length;
        for (var back = 1; back < MaxBytes && back <= piece.Length; back++)
        {
            var one = piece[^back];
            if ((one & ContinuationBits) == Continuation)
                continue;
            var isCut = Rune.DecodeFromUtf8(piece[^back..], out _, out _) == OperationStatus.NeedMoreData;
            return isCut ? piece.Length - back : piece.Length;
        }
        return piece.Length;
    }
}
