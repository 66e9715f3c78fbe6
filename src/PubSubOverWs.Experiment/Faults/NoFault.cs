using System.Text.Json;

namespace PubSubOverWs.Experiment.Faults;

/// <summary><c>none</c>: nothing is broken, which is what every other profile is held against.</summary>
public sealed record NoFault : Fault
{
    public const string Name = "none";

    public override string Profile => Name;

    public override IReadOnlyList<FaultParameter> Parameters => [];

    public override string Mechanism => "Nothing is broken: every message finds its subscriber.";

    public override string Prediction =>
        "No loss in either arm, and so nothing that a queue could save: what can be said is a bound, not that the arms do not differ.";

    public override bool NeedsPairs => false;

    public override bool NeedsOwnServers => false;

    internal override Fault? With(string key, JsonElement value) => null;
}
