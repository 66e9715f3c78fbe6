using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.Tests.Repository;

public sealed class FaultDocumentTests
{
    [Fact]
    public void Fault_profiles_are_explained_in_their_order_with_their_predictions_and_the_reasons()
    {
        var profiles = SourceTree.Read("docs/reference/faults.md").Split("\n## ")
            .Single(section => section.StartsWith("The profiles\n", StringComparison.Ordinal));
        var sections = profiles.Split("\n### ")[1..];

        // A heading may name several: restart and restart-term are one but for the signal.
        Assert.Equal(FaultProfiles.Names, sections.SelectMany(section => section.Split('\n')[0].Split(", ")));
        Assert.All(sections, section => Assert.Contains("**Prediction**", section, StringComparison.Ordinal));
        Assert.All(sections, section => Assert.Contains("**Why**", section, StringComparison.Ordinal));
    }
}
