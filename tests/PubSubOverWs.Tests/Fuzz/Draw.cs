using PubSubOverWs.Record.Scenarios;

namespace PubSubOverWs.Tests.Fuzz;

/// <summary>The random choices of one step: the same for the same seed and step, whatever was done before.</summary>
internal sealed class Draw(ulong seed, long step)
{
    private readonly SplitMix64 _numbers = new(new SplitMix64(seed).Next() ^ new SplitMix64((ulong)step).Next());

    /// <summary>From 0 to below <paramref name="count"/>.</summary>
    public int Below(int count) => (int)(_numbers.Next() % (ulong)count);

    /// <summary>Both ends included.</summary>
    public int Between(int min, int max) => min + Below(max - min + 1);

    public bool OneIn(int count) => Below(count) == 0;

    public T Of<T>(params ReadOnlySpan<T> choices) => choices[Below(choices.Length)];

    public byte[] Bytes(int count)
    {
        var bytes = new byte[count];
        for (var i = 0; i < count; i++)
            bytes[i] = (byte)_numbers.Next();
        return bytes;
    }

    /// <summary>Cuts bytes into pieces, of which many are short.</summary>
    public IEnumerable<ReadOnlyMemory<byte>> Pieces(ReadOnlyMemory<byte> bytes)
    {
        var longest = Of(1, 7, 100, 5_000, int.MaxValue);
        while (bytes.Length > 0)
        {
            var length = Between(1, Math.Min(longest, bytes.Length));
            yield return bytes[..length];
            bytes = bytes[length..];
        }
    }

    /// <summary>Replaces, removes or inserts a byte here and there, often one that means something.</summary>
    public byte[] Mutate(ReadOnlySpan<byte> bytes, ReadOnlySpan<byte> meaningful)
    {
        List<byte> changed = [.. bytes];
        for (var left = Between(1, 4); left > 0 && changed.Count > 0; left--)
        {
            var at = Below(changed.Count);
            var value = OneIn(3) ? (byte)Below(256) : Of(meaningful);
            switch (Below(3))
            {
                case 0:
                    changed[at] = value;
                    break;
                case 1:
                    changed.RemoveAt(at);
                    break;
                default:
                    changed.Insert(at, value);
                    break;
            }
        }
        return [.. changed];
    }
}
