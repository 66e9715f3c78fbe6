using System.Runtime.InteropServices;

namespace PubSubOverWs.LocalSqs;

/// <summary>
/// The deduplication ids that a FIFO queue took in the last five minutes, each with its message. Older ids are removed by the next call.
/// Times are timestamps of the <see cref="TimeProvider"/>, and never go back.
/// </summary>
internal sealed class DeduplicationWindow(TimeProvider time)
{
    private readonly Dictionary<(string? Group, string Id), ulong> _numbers = [];
    private readonly Queue<(string? Group, string Id, long Until)> _oldestFirst = new();

    public int Count => _numbers.Count;

    /// <summary>The number of the first message that had the id: <paramref name="number"/> itself when there is none.</summary>
    /// <param name="group">Null: the id counts in the whole queue.</param>
    public ulong FirstWith(string? group, string id, ulong number, long now)
    {
        Forget(now);
        ref var first = ref CollectionsMarshal.GetValueRefOrAddDefault(_numbers, (group, id), out var isDuplicate);
        if (!isDuplicate)
        {
            first = number;
            _oldestFirst.Enqueue((group, id, now + (long)(SqsLimit.DeduplicationInterval.TotalSeconds * time.TimestampFrequency)));
        }
        return first;
    }

    public void Forget(long now)
    {
        while (_oldestFirst.TryPeek(out var oldest) && oldest.Until <= now)
        {
            _oldestFirst.Dequeue();
            _numbers.Remove((oldest.Group, oldest.Id));
        }
    }
}
