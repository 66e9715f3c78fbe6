using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class CpuListTests
{
    [Theory]
    [InlineData("0", new[] { 0 })]
    [InlineData("0-3", new[] { 0, 1, 2, 3 })]
    [InlineData("0-1,4,6-7", new[] { 0, 1, 4, 6, 7 })]
    [InlineData("", new int[0])]
    public void A_list_names_single_cores_and_ranges(string list, int[] cores) => Assert.Equal(cores, CpuList.Parse(list));

    [Fact]
    public void An_invalid_list_is_refused() => Assert.Throws<FormatException>(() => CpuList.Parse("ff"));
}
