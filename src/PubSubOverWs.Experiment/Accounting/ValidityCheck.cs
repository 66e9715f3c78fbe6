namespace PubSubOverWs.Experiment.Accounting;

/// <summary>One thing that must hold for a run to mean anything.</summary>
/// <param name="Name">What must hold, in a few words.</param>
/// <param name="Holds">False: the run is invalid. Null: it could not be judged, and the detail says why.</param>
/// <param name="Detail">What was found.</param>
public sealed record ValidityCheck(string Name, bool? Holds, string Detail);
