using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.Tests.LoadTest.Harness.Processes;

public sealed class ChromiumTests
{
    [Fact]
    public void It_is_preferred_to_browsers_that_are_made_of_it_wherever_they_are_on_the_path()
    {
        var (first, second) = (Path.Combine("a", "google-chrome"), Path.Combine("b", "chromium"));
        var path = string.Join(Path.PathSeparator, "a", "", "b");

        Assert.Equal(second, Chromium.Find(path, file => file == first || file == second));
        Assert.Equal(first, Chromium.Find(path, file => file == first));
        Assert.Null(Chromium.Find(path, _ => false));
    }

    [Theory]
    [InlineData("42 (chromium) S 1 40 39 0 -1", 39)]
    [InlineData("42 (a) b (c) S 1 40 39 0 -1", 39)]
    public void The_session_of_a_process_stands_behind_its_name_which_may_hold_anything(string stat, int session) =>
        Assert.Equal(session, Sessions.Parse(stat));
}
