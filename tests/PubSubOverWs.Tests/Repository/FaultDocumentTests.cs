using PubSubOverWs.LoadTest.Experiments.Paper.Faults;

namespace PubSubOverWs.Tests.Repository;

public sealed class FaultDocumentTests
{
    [Fact]
    public void Fault_profiles_are_explained_in_their_order() => Assert.Equal(
        FaultProfiles.Names,
        SourceTree.Lines("docs/reference/faults.md").SkipWhile(line => line != "## The profiles").Skip(1)
            .TakeWhile(line => !line.StartsWith('#')).Where(line => line.StartsWith("| `", StringComparison.Ordinal))
            .Select(line => line.Split('`')[1]));
}
