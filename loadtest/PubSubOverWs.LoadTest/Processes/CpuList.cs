using System.Globalization;

namespace PubSubOverWs.LoadTest.Processes;

/// <summary>Linux' way to write a set of cores: <c>0-3,7</c>.</summary>
public static class CpuList
{
    /// <exception cref="FormatException">Not such a list.</exception>
    public static IReadOnlyList<int> Parse(string list)
    {
        var cores = new List<int>();
        foreach (var part in list.Split(',', StringSplitOptions.RemoveEmptyEntries | StringSplitOptions.TrimEntries))
        {
            var ends = part.Split('-');
            var first = int.Parse(ends[0], CultureInfo.InvariantCulture);
            var last = int.Parse(ends[^1], CultureInfo.InvariantCulture);
            cores.AddRange(Enumerable.Range(first, last - first + 1));
        }
        return cores;
    }
}
