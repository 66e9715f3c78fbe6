using PubSubOverWs.Experiment.Experiments.Faults;

namespace PubSubOverWs.Tests.Repository;

public sealed class FaultDocumentTests
{
    [Fact]
    public void Every_fault_profile_is_explained_with_what_was_predicted_and_why_in_their_order()
    {
        var profiles = SourceTree.Read("docs/faults.md").Split("\n## ")
            .Single(section => section.StartsWith("The profiles\n", StringComparison.Ordinal));
        var sections = profiles.Split("\n### ")[1..];

        // A heading may name several: restart and restart-term are one but for the signal.
        Assert.Equal(FaultProfiles.Names, sections.SelectMany(section => section.Split('\n')[0].Split(", ")));
        Assert.All(sections, section => Assert.Contains("**Prediction**", section, StringComparison.Ordinal));
        Assert.All(sections, section => Assert.Contains("**Why**", section, StringComparison.Ordinal));
    }
}
