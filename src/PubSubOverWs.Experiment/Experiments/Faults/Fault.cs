using System.Globalization;
using System.Text.Json;
using System.Text.Json.Serialization;
using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Experiments.Relay;
using PubSubOverWs.Experiment.Formats;

namespace PubSubOverWs.Experiment.Experiments.Faults;

/// <summary>
/// What is broken in a run, as data: a profile with its parameters. The load runner does it, from outside the servers; here stands what it
/// is, what was predicted before the run, and how that is judged. docs/faults.md has a section for each.
/// </summary>
public abstract record Fault
{
    /// <summary>The profile's name, in scenarios, options and reports.</summary>
    public abstract string Profile { get; }

    /// <summary>A shorter absence than this a client hardly notices.</summary>
    protected static TimeSpan ShortestAbsence { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>In the order of docs/faults.md; every value is in the text, so that a scenario is read back as it was.</summary>
    public abstract IReadOnlyList<FaultParameter> Parameters { get; }

    /// <summary>By what it makes messages be lost, or not.</summary>
    public abstract string Mechanism { get; }

    /// <summary>What was expected before anything was run, and why.</summary>
    public abstract string Prediction { get; }

    /// <summary>What is set for as long as the run or an iteration lasts.</summary>
    [JsonIgnore] // compare.json shows what a scenario has, and not what follows from it.
    public virtual FaultSetUp SetUp => FaultSetUp.None;

    /// <summary>The longest that a client or the queue is away because of one action; zero: nobody is.</summary>
    public virtual TimeSpan Outage => TimeSpan.Zero;

    /// <summary>
    /// True: messages and clients are told apart by the workload <c>pairs</c>, with receipts and enough messages for a rate.
    /// </summary>
    public virtual bool NeedsPairs => true;

    /// <summary>True: without receipts what it does cannot be told from other losses.</summary>
    public virtual bool NeedsReceipts => NeedsPairs;

    /// <summary>True: the server under test must have a core of its own.</summary>
    public virtual bool NeedsPinning => false;

    /// <summary>Actions of its time line, in each arm over the run: with fewer nothing is judged.</summary>
    public virtual int LeastDeeds => 0;

    /// <summary>Why nothing is judged with such parameters, as a clause; null: it is.</summary>
    internal virtual string? NotJudgedBecause => null;

    /// <summary>Null: delivering costs nothing.</summary>
    public virtual OverloadFault? Overload => null;

    /// <summary>Null: servers are not ended.</summary>
    public virtual RestartFault? Restart => null;

    /// <summary>True: it is done to servers that the run starts, as processes or by their settings.</summary>
    public virtual bool NeedsOwnServers => true;

    /// <summary>True: clients that fail to connect are what is looked at, and do not make the run invalid.</summary>
    public virtual bool IsAboutConnects => false;

    /// <summary>True: servers are killed, and with them what they have counted.</summary>
    public bool KillsServers => Restart is not null;

    /// <summary>True: the queue does not live all along, by order.</summary>
    public virtual bool KillsQueue => false;

    /// <summary>The arms of a run that does not say which.</summary>
    public virtual IReadOnlyList<string> DefaultArms => [Arms.Direct, Arms.PubSub];

    /// <summary>Warm-up iterations per arm, level and block that a run with <c>--fault</c> has at least.</summary>
    public virtual int LeastWarmUps => 0;

    /// <summary>
    /// Over so long a scenario's messages are spread at least when it is run with this fault instead of its own, unless they come in a
    /// burst. Zero: as the scenario has them.
    /// </summary>
    public virtual TimeSpan LeastSpread => TimeSpan.Zero;

    /// <summary>The profile and its parameters, such as <c>churn (every 1s, away 200ms)</c>.</summary>
    public sealed override string ToString() => Parameters.Count == 0
        ? Profile
        : $"{Profile} ({string.Join(", ", Parameters.Select(parameter => $"{parameter.Key} {parameter.Text}"))})";

    protected static FaultParameter Parameter(string key, string value) => new(key, value);

    protected static FaultParameter Parameter(string key, TimeSpan value) => new(key, Duration.Text(value));

    protected static FaultParameter Parameter(string key, long value) =>
        new(key, value.ToString(CultureInfo.InvariantCulture), IsNumber: true);

    protected static FaultParameter Parameter(string key, double value) =>
        new(key, value.ToString("R", CultureInfo.InvariantCulture), IsNumber: true);

    /// <summary>What is done at moments of an iteration, in order: one ends before the next begins. Empty: nothing is.</summary>
    /// <param name="spread">Over which messages are due.</param>
    /// <param name="numbers">From which moments are drawn.</param>
    internal virtual IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) => [];

    /// <summary>This fault with a parameter set; null: it has no such parameter.</summary>
    /// <exception cref="ScenarioException">The value is none for it.</exception>
    internal abstract Fault? With(string key, JsonElement value);

    /// <summary>What is wrong with its values in such a scenario, and what is allowed, as one sentence; null: nothing is.</summary>
    internal virtual string? WhatIsWrong(Scenario scenario) => null;

    /// <summary>What is wrong with an absence of the queue; null: nothing is.</summary>
    /// <param name="scenario">With when messages are due.</param>
    /// <param name="at">From the first due.</param>
    /// <param name="length">Of the absence.</param>
    /// <param name="key">The parameter that the length is.</param>
    protected string? WhatIsWrongWith(Scenario scenario, TimeSpan at, TimeSpan length, string key) =>
        length < ShortestAbsence ? $"'{key}' of the fault {Profile} must be {Duration.Text(ShortestAbsence)} or more."
        : at
            + length > scenario.Arrivals.Spread
                ? $"The fault {Profile} must end while messages are still due: 'at' + '{key}' is {Duration.Text(at + length)}, and "
                    + $"'arrival' is {scenario.Arrivals}."
        : null;
}

/// <summary>A parameter of a profile as it stands in a scenario.</summary>
/// <param name="Key">Its name.</param>
/// <param name="Text">Its value.</param>
/// <param name="IsNumber">True: a JSON number; false: a text.</param>
public readonly record struct FaultParameter(string Key, string Text, bool IsNumber = false);
