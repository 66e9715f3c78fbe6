using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class PinningTests
{
    [Fact]
    public void Server_and_load_get_the_first_and_the_last_core()
    {
        var plan = PinningPlan.Decide(wanted: true, isLinux: true, hasTaskset: true, allowed: [2, 3, 6, 7]);

        Assert.Equal(new PinningPlan(2, 7, null), plan);
        Assert.True(plan.IsPinned);
    }

    [Theory]
    [InlineData(false, true, true, 2, "--no-pin")]
    [InlineData(true, false, false, 0, "only Linux")]
    [InlineData(true, true, false, 2, "util-linux")]
    [InlineData(true, true, true, 1, "one core")]
    public void What_keeps_processes_from_being_pinned_is_named(bool wanted, bool isLinux, bool hasTaskset, int cores, string named)
    {
        var plan = PinningPlan.Decide(wanted, isLinux, hasTaskset, [.. Enumerable.Range(0, cores)]);

        Assert.Equal((null, null), (plan.ServerCore, plan.LoadCore));
        Assert.Contains(named, plan.WhyNot, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("0", new[] { 0 })]
    [InlineData("0-3", new[] { 0, 1, 2, 3 })]
    [InlineData("0-1,4,6-7", new[] { 0, 1, 4, 6, 7 })]
    [InlineData("", new int[0])]
    public void A_list_names_single_cores_and_ranges(string list, int[] cores) => Assert.Equal(cores, CpuList.Parse(list));

    [Fact]
    public void An_invalid_list_is_refused() => Assert.Throws<FormatException>(() => CpuList.Parse("ff"));

    [Fact]
    public void The_list_is_found_in_a_status_file()
    {
        string[] status = ["Name:\tdotnet", "Cpus_allowed:\t2", "Cpus_allowed_list:\t1", "Mems_allowed:\t1"];

        Assert.Equal("1", ThreadMasks.Parse(status));
    }

    [Fact]
    public void A_status_file_without_the_list_gives_none() => Assert.Null(ThreadMasks.Parse(["Name:\tdotnet"]));

    [Fact]
    public void A_process_that_does_not_exist_has_no_masks() => Assert.Empty(ThreadMasks.Read(int.MaxValue));
}
