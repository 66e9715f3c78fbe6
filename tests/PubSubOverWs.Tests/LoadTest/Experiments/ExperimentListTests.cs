using PubSubOverWs.LoadTest.Experiments;
using PubSubOverWs.Record.Files;

namespace PubSubOverWs.Tests.LoadTest.Experiments;

public sealed class ExperimentListTests
{
    [Fact]
    public void No_factor_and_no_measure_is_called_as_a_column_of_every_row() =>
        Assert.All(ExperimentList.All.Select(experiment => experiment.Kind), kind =>
        {
            string[] columns = [.. IterationCsv.Header(kind.Factors), .. kind.Empty().Measures.Select(measure => measure.Name)];

            Assert.Equal(columns.Distinct(), columns);
        });
}
