using PubSubOverWs.Experiment.Analyses;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Tests.Experiment.Analyses;

public sealed class AnalysisListTests
{
    [Fact]
    public void Every_experiment_that_can_be_run_can_be_reported() =>
        Assert.Equal(
            ScenarioKinds.All.Select(kind => kind.Name).Order(StringComparer.Ordinal),
            AnalysisList.All.Keys.Select(kind => kind.Name).Order(StringComparer.Ordinal));

    [Fact]
    public void No_factor_and_no_measure_is_called_as_a_column_of_every_row() =>
        Assert.All(ScenarioKinds.All, kind =>
        {
            string[] columns = [.. IterationCsv.Header(kind.Factors), .. kind.Measures.Select(measure => measure.Name)];

            Assert.Equal(columns.Distinct(), columns);
        });
}
