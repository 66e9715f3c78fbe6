using System.Buffers.Text;
using PubSubOverWs.Record.Accounting;

namespace PubSubOverWs.Record.Files;

/// <summary>
/// A line of samples.csv.gz as <see cref="SampleCsv.Line"/> writes nearly all of them, read without a string for each cell.
/// </summary>
internal sealed class SampleLine(IReadOnlyList<Flow> flows)
{
    private const int MaxDigits = 15;
    private static readonly (byte[] Text, Outcome Value)[] Outcomes = Names<Outcome>();
    private static readonly (byte[] Text, Cause Value)[] Causes = Names<Cause>();
    private readonly (byte[] Text, int Value)[] _flows = [.. flows.Select((flow, i) => (Encoding.UTF8.GetBytes(flow.Name), i))];

    // That of the line before, which nearly every line has too.
    private (byte[] Text, string Name) _arm = ([], "");

    /// <returns>False: it is written otherwise, or damaged; <see cref="SampleCsv.Parse"/> says which.</returns>
    public bool TryParse(ReadOnlySpan<byte> line, out Sample sample)
    {
        sample = default;
        if (line.Contains((byte)'"') || line.StartsWith((byte)',') || line.EndsWith((byte)'\r'))
            return false;
        var arm = Cell(ref line);
        if (!TryInt(Cell(ref line), out var iteration))
            return false;
        var id = Cell(ref line);
        if (!TryInt(Cell(ref line), out var publisher)
            || !TryInt(Cell(ref line), out var recipient)
            || !TryTime(Cell(ref line), out var due)
            || due is null
            || !TryTime(Cell(ref line), out var sent)
            || !TryTime(Cell(ref line), out var receipt)
            || !TryTime(Cell(ref line), out var received)
            || !TryName(Outcomes, Cell(ref line), out var outcome))
            return false;
        var why = Cell(ref line);
        var cause = Cause.None;
        if (why.Length > 0 && !TryName(Causes, why, out cause))
            return false;
        // Of the comma before it, the last cell is left.
        if (!TryName(_flows, Cell(ref line), out var flow) || line.IsEmpty || line[1..].Contains((byte)','))
            return false;
        var attempt = new Attempt(Encoding.UTF8.GetString(id), publisher, recipient, due.Value, sent, receipt, received, outcome, cause)
        {
            Flow = flow,
            CorrelationId = line.Length > 1 ? Encoding.UTF8.GetString(line[1..]) : null,
        };
        sample = new Sample(Arm(arm), iteration, attempt);
        return true;
    }

    private string Arm(ReadOnlySpan<byte> cell)
    {
        if (!cell.SequenceEqual(_arm.Text))
            _arm = (cell.ToArray(), Encoding.UTF8.GetString(cell));
        return _arm.Name;
    }

    // The cell up to the next comma; the comma stays before the last cell, so that a missing one is seen.
    private static ReadOnlySpan<byte> Cell(ref ReadOnlySpan<byte> line)
    {
        if (line.Length > 0 && line[0] == ',')
            line = line[1..];
        var at = line.IndexOf((byte)',');
        var cell = at < 0 ? line : line[..at];
        line = at < 0 ? [] : line[at..];
        return cell;
    }

    private static bool TryInt(ReadOnlySpan<byte> cell, out int value) =>
        Utf8Parser.TryParse(cell, out value, out var used) && used == cell.Length && cell[0] is not ((byte)'-' or (byte)'+');

    // Digits, and at most one behind a point: a tick is a tenth of a microsecond.
    private static bool TryTime(ReadOnlySpan<byte> cell, out TimeSpan? time)
    {
        time = null;
        if (cell.IsEmpty)
            return true;
        var point = cell.IndexOf((byte)'.');
        var tenth = point < 0 ? 0 : point == cell.Length - 2 ? cell[^1] - '0' : -1;
        var whole = point < 0 ? cell : cell[..point];
        if (tenth is < 0 or > 9 || whole.IsEmpty || whole.Length > MaxDigits)
            return false;
        long ticks = 0;
        foreach (var digit in whole)
        {
            if (digit is < (byte)'0' or > (byte)'9')
                return false;
            ticks = (ticks * 10) + (digit - '0');
        }

        time = TimeSpan.FromTicks((ticks * TimeSpan.TicksPerMicrosecond) + tenth);
        return time <= Csv.LongestTime;
    }

    private static bool TryName<T>((byte[] Text, T Value)[] names, ReadOnlySpan<byte> cell, out T value)
    {
        foreach (var name in names)
        {
            if (cell.SequenceEqual(name.Text))
            {
                value = name.Value;
                return true;
            }
        }

        value = default!;
        return false;
    }

    private static (byte[] Text, T Value)[] Names<T>()
        where T : struct, Enum => [.. Enum.GetValues<T>().Select(value => (Encoding.UTF8.GetBytes(Kebab.Text(value)), value))];
}
