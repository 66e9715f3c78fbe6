namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary>All profiles, each with its defaults.</summary>
public static class FaultProfiles
{
    public static Fault None { get; } = new NoFault();

    /// <summary>In the order in which docs/reference/faults.md explains them.</summary>
    public static IReadOnlyList<Fault> All { get; } =
    [
        None, new ChurnFault(), new RestartFault(KillSignal.Kill), new RestartFault(KillSignal.Term), new OverloadFault(),
        new OverloadRestartFault(), new SmallHostFault(),
        new ConnectStormFault(), new BadNetworkFault(), new QueueDownFault(), new QueueKilledFault(), new SlowConsumerFault(),
    ];

    public static IEnumerable<string> Names => All.Select(fault => fault.Profile);

    /// <summary>The profile of this name with its defaults.</summary>
    /// <exception cref="ScenarioException">There is none.</exception>
    public static Fault Of(string name) => All.FirstOrDefault(fault => fault.Profile == name)
        ?? throw new ScenarioException($"The fault '{name}' is not known{Spelling.Among(name, [.. Names])}.");
}

/// <summary>The key <c>fault</c> of a scenario: a profile's name, or an object with the name and non-default parameters.</summary>
internal static class FaultJson
{
    private const string Profile = "profile";

    /// <exception cref="ScenarioException">A profile, a parameter or a value is not known.</exception>
    public static Fault Read(JsonElement root)
    {
        if (root.ValueKind == JsonValueKind.String)
            return FaultProfiles.Of(root.GetString()!);
        if (root.ValueKind != JsonValueKind.Object || !root.TryGetProperty(Profile, out var name))
            throw new ScenarioException(
                $"'fault' must be the name of a profile, or an object with '{Profile}' and its parameters. Profiles: "
                    + $"{string.Join(", ", FaultProfiles.Names)}.");
        var fault = FaultProfiles.Of(JsonValue.Text("fault.profile", name));
        foreach (var parameter in root.EnumerateObject().Where(property => property.Name != Profile))
            fault = fault.With(parameter.Name, parameter.Value) ?? throw Unknown(fault, parameter.Name);
        return fault;
    }

    public static void Write(Utf8JsonWriter writer, Fault fault)
    {
        writer.WriteStartObject("fault");
        writer.WriteString(Profile, fault.Profile);
        foreach (var parameter in fault.Parameters)
        {
            writer.WritePropertyName(parameter.Key);
            if (parameter.IsNumber)
                writer.WriteRawValue(parameter.Text);
            else
                writer.WriteStringValue(parameter.Text);
        }

        writer.WriteEndObject();
    }

    private static ScenarioException Unknown(Fault fault, string key) => new(fault.Parameters.Count == 0
        ? $"The key '{key}' is not known in 'fault': {fault.Profile} has no parameters."
        : $"The key '{key}' is not known in 'fault'{Spelling.Meant(key, fault.Parameters.Select(parameter => parameter.Key))}: "
            + $"{fault.Profile} has "
            + $"{string.Join(", ", fault.Parameters.Select(parameter => parameter.Key))}.");
}

/// <summary><c>none</c>: the baseline of all other profiles.</summary>
public sealed record NoFault : Fault
{
    public const string Name = "none";

    public override string Profile => Name;

    public override string Mechanism => "Nothing is broken: every message finds its subscriber.";

    public override string Prediction =>
        "No loss in either arm, and so nothing that a queue could save: what can be said is a bound, not that the arms do not differ.";

    public override bool NeedsPairs => false;

    public override bool NeedsOwnServers => false;
}
