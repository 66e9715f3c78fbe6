namespace PubSubOverWs.Relay;

/// <summary>
/// A list that nobody on this thread needs now. Connections have lists only while there is something in them, and take the same one again
/// for each message.
/// </summary>
internal static class SpareList<T>
{
    [ThreadStatic]
    private static List<T>? t_spare;

    /// <summary>An empty list.</summary>
    public static List<T> Take()
    {
        var spare = t_spare ?? [];
        t_spare = null;
        return spare;
    }

    /// <summary>Empties a list that nobody uses any more. One with more room than <paramref name="mostKept"/> is not kept.</summary>
    /// <param name="list">Null: nothing happens.</param>
    /// <param name="mostKept">Items.</param>
    public static void Give(List<T>? list, int mostKept)
    {
        if (list is null || list.Capacity > mostKept)
            return;
        list.Clear();
        t_spare = list;
    }
}
