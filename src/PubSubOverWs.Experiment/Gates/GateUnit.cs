namespace PubSubOverWs.Experiment.Gates;

/// <summary>What the limit of a gate is written in.</summary>
public enum GateUnit
{
    /// <summary>A number.</summary>
    None,

    /// <summary>A number and <c>%</c>, from 0 to 100; a zero needs none.</summary>
    Percent,

    /// <summary>A number and <c>us</c>, <c>ms</c> or <c>s</c>.</summary>
    Time,
}
