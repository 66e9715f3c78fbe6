namespace PubSubOverWs.Experiment.Faults.Expectations;

/// <summary>What became of an expectation, or of a whole prediction.</summary>
public enum ExpectationWord
{
    AsPredicted,
    NotAsPredicted,
    NotTestable,
}
