using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Tests.Experiment.Analyses;

public sealed class AnalysisListTests
{
    [Fact]
    public void Every_experiment_that_can_be_run_can_be_reported() =>
        Assert.Equal(
            ScenarioKinds.All.Select(kind => kind.Name).Order(StringComparer.Ordinal),
            AnalysisList.All.Keys.Select(kind => kind.Name).Order(StringComparer.Ordinal));
}
