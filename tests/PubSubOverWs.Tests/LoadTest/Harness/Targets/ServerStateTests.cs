using PubSubOverWs.LoadTest.Harness.Targets;

namespace PubSubOverWs.Tests.LoadTest.Harness.Targets;

public class ServerStateTests
{
    [Theory]
    [InlineData("null", 10, 3, 7, 0)]
    [InlineData("""{ "sent": 9, "deleted": 8 }""", 10, 3, 5, 1)]
    public void Shed_and_missed_messages_do_not_count_as_taken_though_they_are_deleted_from_the_queue(
        string queue, int messagesIn, int shed, int taken, int inQueue)
    {
        var state = ServerState.Parse($$"""
            {
              "queue": {{queue}},
              "messages": { "in": {{messagesIn}} },
              "drops": { "shed": {{shed}} },
              "connections": { "slow": 2 },
              "gcHeapBytes": 3, "gcHeapLimitBytes": 4, "gcCollections": [5, 6, 7], "gcPauseMicroseconds": 8,
              "memory": { "mostBytes": 9 }
            }
            """);

        Assert.Equal((taken, inQueue), (state.Taken, state.InQueue));
        Assert.Equal((2, 3, 4, 9), (state.Slow, state.HeapBytes, state.HeapLimitBytes, state.MemoryBoundBytes));
    }
}
