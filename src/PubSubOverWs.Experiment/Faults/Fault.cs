using System.Text.Json;
using PubSubOverWs.Experiment.Faults.Expectations;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.Experiment.Scenarios;

namespace PubSubOverWs.Experiment.Faults;

/// <summary>
/// What is broken in a run, as data: a profile with its parameters. The load runner does it, from outside the servers; here stands what it is, what was
/// predicted before the run, and how that is judged. docs/faults.md has a section for each.
/// </summary>
public abstract record Fault
{
    /// <summary>The profile's name, in scenarios, options and reports.</summary>
    public abstract string Profile { get; }

    /// <summary>In the order of docs/faults.md; every value is in the text, so that a scenario is read back as it was.</summary>
    public abstract IReadOnlyList<FaultParameter> Parameters { get; }

    /// <summary>By what it makes messages be lost, or not.</summary>
    public abstract string Mechanism { get; }

    /// <summary>What was expected before anything was run, and why.</summary>
    public abstract string Prediction { get; }

    /// <summary>The prediction as code: all of it must hold.</summary>
    public abstract IReadOnlyList<Expectation> Expectations { get; }

    /// <summary>The longest that a client or the queue is away because of one deed; zero: nobody is.</summary>
    public virtual TimeSpan Outage => TimeSpan.Zero;

    /// <summary>True: messages and clients are told apart by the workload <c>pairs</c>, with receipts and enough messages for a rate.</summary>
    public virtual bool NeedsPairs => true;

    /// <summary>True: it is done to servers that the run starts, as processes or by their settings.</summary>
    public virtual bool NeedsOwnServers => true;

    /// <summary>True: it is done to the queue that the run starts.</summary>
    public virtual bool NeedsEmbeddedQueue => false;

    /// <summary>True: clients that fail to connect are what is looked at, and do not make the run invalid.</summary>
    public virtual bool IsAboutConnects => false;

    /// <summary>True: servers are killed, and with them what they have counted.</summary>
    public virtual bool KillsServers => false;

    /// <summary>True: the queue does not live all along, by order.</summary>
    public virtual bool KillsQueue => false;

    /// <summary>The arms of a run that does not say which.</summary>
    public virtual IReadOnlyList<string> DefaultArms => [Arms.Direct, Arms.PubSub];

    /// <summary>The profile and its parameters, such as <c>churn (every 1s, away 200ms)</c>.</summary>
    public sealed override string ToString() => Parameters.Count == 0 ? Profile : $"{Profile} ({string.Join(", ", Parameters)})";

    /// <summary>This fault with a parameter set; null: it has no such parameter.</summary>
    /// <exception cref="ScenarioException">The value is none for it.</exception>
    internal abstract Fault? With(string key, JsonElement value);

    /// <summary>What is wrong with its values in such a scenario, and what is allowed, as one sentence; null: nothing is.</summary>
    internal virtual string? WhatIsWrong(Scenario scenario) => null;
}
