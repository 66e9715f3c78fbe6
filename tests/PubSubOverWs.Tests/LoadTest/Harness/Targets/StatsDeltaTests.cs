using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

/// <summary>What servers report at /stats, read and compared.</summary>
public sealed class StatsDeltaTests
{
    private const string Before = """
        {"server":"pubsub","bytesOut":{"payload":100,"stomp":50,"webSocket":4,"total":154},
         "drops":{"no-subscriber":1,"shed":0,"closed":0},
         "queue":{"calls":{"send":1,"receive":2,"delete":3,"changeVisibility":4,"other":5},
          "bytesOut":{"send":10,"receive":20,"delete":30,"changeVisibility":40,"other":50},"bytesIn":7,"emptyReceives":1}}
        """;

    private const string After = """
        {"server":"pubsub","bytesOut":{"payload":1100,"stomp":550,"webSocket":44,"total":1694},
         "drops":{"no-subscriber":3,"shed":4,"closed":5},
         "queue":{"calls":{"send":11,"receive":22,"delete":33,"changeVisibility":44,"other":55},
          "bytesOut":{"send":110,"receive":220,"delete":330,"changeVisibility":440,"other":550},"bytesIn":77,"emptyReceives":4}}
        """;

    [Fact]
    public void Counts_between_two_readings_are_their_difference()
    {
        using var delta = Delta((Before, After));

        Assert.Equal(new ClientBytes(1000, 500, 40, 1540), delta.ClientBytes);
        Assert.Equal(new ServerDrops(2, 4, 5), delta.Drops);
        Assert.Equal(new QueueTraffic(new QueueCounts(10, 20, 30, 40, 50), 3, new QueueCounts(100, 200, 300, 400, 500), 70), delta.Queue);
    }

    [Theory]
    [InlineData(null, After)]
    [InlineData(Before, null)]
    [InlineData("{}", "{}")]
    [InlineData(Before, "{}")]
    public void Counts_that_a_server_did_not_report_are_missing_and_not_zero(string? before, string? after)
    {
        using var delta = Delta((before, after));

        Assert.Null(delta.ClientBytes);
        Assert.Null(delta.Drops);
        Assert.Null(delta.Queue);
    }

    [Theory]
    [InlineData("bytes", "\"stomp\":50,", "")]
    [InlineData("bytes", "\"webSocket\":4", "\"webSocket\":null")]
    [InlineData("drops", "\"shed\":0,", "")]
    [InlineData("drops", "\"closed\":0", "\"closed\":\"0\"")]
    [InlineData("queue", "\"changeVisibility\":4,", "")]
    [InlineData("queue", ",\"emptyReceives\":1", "")]
    public void A_group_that_lacks_one_counter_at_the_beginning_or_at_the_end_is_missing_whole_and_the_others_are_not(
        string group, string counter, string instead)
    {
        var lacking = Before.Replace(counter, instead, StringComparison.Ordinal);
        using var atTheBeginning = Delta((lacking, After));
        using var atTheEnd = Delta((Before, lacking));
        using var ofOneServer = Delta((Before, After), (lacking, lacking));

        Assert.All([atTheBeginning, atTheEnd, ofOneServer], delta => Assert.Equal(
            (group == "bytes", group == "drops", group == "queue"),
            (delta.ClientBytes is null, delta.Drops is null, delta.Queue is null)));
    }

    [Fact]
    public void A_server_without_a_queue_has_no_queue_traffic()
    {
        using var delta = Delta(("""{"queue":null}""", """{"queue":null}"""));

        Assert.Equal(default(QueueTraffic), delta.Queue);
    }

    [Fact]
    public void Several_servers_are_added_up()
    {
        using var delta = Delta((Before, After), (Before, After));

        Assert.Equal(new ClientBytes(2000, 1000, 80, 3080), delta.ClientBytes);
        Assert.Equal(new ServerDrops(4, 8, 10), delta.Drops);
        Assert.Equal(300, delta.Queue?.Calls.Total);
        Assert.Equal(140, delta.Queue?.BytesIn);
    }

    [Fact]
    public void Counts_that_one_of_several_servers_did_not_report_are_missing_for_all()
    {
        using var silent = Delta((Before, After), (Before, null));
        using var another = Delta((Before, After), ("{}", "{}"));

        Assert.Null(silent.ClientBytes);
        Assert.Null(another.Queue);
    }

    [Fact]
    public void The_queue_of_a_server_that_was_already_there_is_read_from_its_stats() => Assert.Equal(
        ("http://q/000000000000/mine", "http://q/000000000000/mine-dead", "http://q/000000000000/mine-parked"),
        StatsReader.QueueIn(
            """
            {"queue":{"name":"mine","url":"http://q/000000000000/mine","deadLetterUrl":"http://q/000000000000/mine-dead",
            "parkedUrl":"http://q/000000000000/mine-parked"}}
            """));

    [Theory]
    [InlineData("""{"queue":null}""")]
    [InlineData("{}")]
    [InlineData("""{"queue":{"length":3}}""")]
    public void A_server_that_names_no_queue_has_no_queue(string stats) => Assert.Null(StatsReader.QueueIn(stats));

    [Theory]
    [InlineData("null", 0)]
    [InlineData("""{ "sent": 2, "deleted": 1 }""", 1)]
    public void Messages_that_were_shed_or_missed_do_not_count_as_taken_however_many_a_message_of_the_queue_carries(
        string queue, int inQueue)
    {
        var state = ServerState.Parse($$"""
            {
              "queue": {{queue}},
              "messages": { "in": 10 },
              "drops": { "shed": 3 },
              "connections": { "slow": 2 },
              "gcHeapBytes": 3, "gcHeapLimitBytes": 4, "gcCollections": [5, 6, 7], "gcPauseMicroseconds": 8,
              "memory": { "mostBytes": 9 }
            }
            """);

        Assert.Equal((7, inQueue), (state.Taken, state.InQueue));
        Assert.Equal((2, 3, 4, 9), (state.Slow, state.HeapBytes, state.HeapLimitBytes, state.MemoryBoundBytes));
    }

    private static StatsDelta Delta(params (string? Before, string? After)[] servers) =>
        new([.. servers.Select(one => new ServerStats("pubsub", one.Before, one.After))]);
}
