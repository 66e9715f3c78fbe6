using PubSubOverWs.Record.Files;
using PubSubOverWs.Record.Relay;

namespace PubSubOverWs.Tests.Repository;

/// <summary>That both servers send their clients the same bytes, which the pages say, to the last byte.</summary>
public sealed class ClientBytesTests
{
    public static TheoryData<string> Folders =>
        [.. CommittedRuns.Folders.Where(folder =>
            folder.EndsWith("-burst", StringComparison.Ordinal) || folder.EndsWith("-spread", StringComparison.Ordinal))];

    /// <summary>
    /// A message-id begins with the number of its connection, which a server counts from 1 in each block. An arm that warmed up more often
    /// has had more connections.
    /// </summary>
    [Theory]
    [MemberData(nameof(Folders))]
    public void Both_servers_sent_the_same_bytes_in_every_iteration_without_the_digits_of_connection_numbers(string folder)
    {
        var rows = RecordReader.Read(Path.Combine(SourceTree.Root, folder)).Rows;
        var bytes = WithoutDigits(rows).ToLookup(one => one.Iteration, one => one.Bytes);

        // An iteration to warm up may have one arm only.
        var counting = rows.Where(row => row.Counts && row.Arm == Relays.Direct).ToArray();
        Assert.NotEmpty(counting);
        Assert.All(counting, row => Assert.Equal(2, bytes[row.Iteration].Count()));
        Assert.All(bytes, arms => Assert.Single(arms.Distinct()));
    }

    // Each connection is sent one message.
    private static IEnumerable<(int Iteration, long Bytes)> WithoutDigits(IReadOnlyList<IterationRow> rows)
    {
        var connections = new Dictionary<(string Arm, int Block), int>();
        foreach (var row in rows.Where(row => row.Arm is Relays.Direct or Relays.PubSub).OrderBy(row => row.Order))
        {
            Assert.Equal(row.Buckets.Attempts, row.Connections);
            var before = connections.GetValueOrDefault((row.Arm, row.Block));
            connections[(row.Arm, row.Block)] = before + row.Connections;
            yield return (row.Iteration, row.ClientBytes!.Value.Total - Enumerable.Range(before + 1, row.Connections).Sum(Digits));
        }
    }

    private static long Digits(int number) => FormattableString.Invariant($"{number}").Length;
}
