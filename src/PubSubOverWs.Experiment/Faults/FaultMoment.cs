namespace PubSubOverWs.Experiment.Faults;

/// <summary>One deed on the time line of an iteration.</summary>
/// <param name="At">From the first due.</param>
/// <param name="Deed">What is done.</param>
/// <param name="For">How long: until the port is open, or the way is free, again.</param>
public readonly record struct FaultMoment(TimeSpan At, FaultDeed Deed, TimeSpan For);
