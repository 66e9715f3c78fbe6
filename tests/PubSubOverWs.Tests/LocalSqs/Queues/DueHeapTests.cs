using FsCheck;
using FsCheck.Fluent;
using PubSubOverWs.LocalSqs;

namespace PubSubOverWs.Tests.LocalSqs;

public sealed class DueHeapTests
{
    /// <summary>Each step adds an item due at that time, or (below zero) removes one that is there; a sorted list is the oracle.</summary>
    [Fact]
    public void The_first_item_is_always_the_earliest_that_was_added_and_not_removed() => Prop.ForAll<int[]>(steps =>
    {
        var heap = new DueHeap();
        var present = new List<Item>();
        foreach (var step in steps)
        {
            if (step >= 0 || present.Count == 0)
            {
                var item = new Item();
                heap.Add(item, Math.Abs((long)step));
                present.Add(item);
            }
            else
            {
                var item = present[-(step + 1) % present.Count];
                heap.Remove(item);
                present.Remove(item);
            }
            if (heap.Count != present.Count || heap.First?.At != present.MinBy(item => item.At)?.At)
                return false;
        }
        return true;
    }).QuickCheckThrowOnFailure();

    private sealed class Item : Due;
}
