using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class ThreadMasksTests
{
    [Fact]
    public void The_list_is_found_in_a_status_file()
    {
        string[] status = ["Name:\tdotnet", "Cpus_allowed:\t2", "Cpus_allowed_list:\t1", "Mems_allowed:\t1"];

        Assert.Equal("1", ThreadMasks.Parse(status));
    }

    [Fact]
    public void A_status_file_without_the_list_gives_none() => Assert.Null(ThreadMasks.Parse(["Name:\tdotnet"]));

    [Fact]
    public void A_process_that_does_not_exist_has_no_masks() => Assert.Empty(ThreadMasks.Of(int.MaxValue));
}
