namespace PubSubOverWs.LoadTest.Experiments.Paper.Faults;

/// <summary>
/// A fault of a run as data: a profile with its parameters and its prediction. The load runner carries it out from outside the servers.
/// docs/reference/faults.md has a section for each.
/// </summary>
public abstract record Fault
{
    /// <summary>The profile's name, in scenarios, options and reports.</summary>
    public abstract string Profile { get; }

    /// <summary>Shorter outages have little effect on a client.</summary>
    protected static TimeSpan ShortestAbsence { get; } = TimeSpan.FromMilliseconds(100);

    /// <summary>
    /// Its values, in the order of docs/reference/faults.md; the text is exact, so that a scenario is read back unchanged.
    /// </summary>
    public IReadOnlyList<FaultParameter> Parameters => [.. Keys.Select(key => key.Get(this))];

    internal virtual IReadOnlyList<FaultKey> Keys => [];

    /// <summary>How it loses messages, or why it does not.</summary>
    public abstract string Mechanism { get; }

    /// <summary>The outcome expected before the run, and why.</summary>
    public abstract string Prediction { get; }

    /// <summary>Settings for the whole run or iteration.</summary>
    [JsonIgnore] // compare.json shows what a scenario has, and not what follows from it.
    public virtual FaultSetUp SetUp => FaultSetUp.None;

    /// <summary>The longest outage of a client or the queue by one action; zero: none.</summary>
    public virtual TimeSpan Outage => TimeSpan.Zero;

    /// <summary>True: it needs the workload <c>pairs</c>, with receipts and enough messages for a rate.</summary>
    public virtual bool NeedsPairs => true;

    /// <summary>True: without receipts its losses cannot be told from others.</summary>
    public virtual bool NeedsReceipts => NeedsPairs;

    /// <summary>True: the server under test must have a core of its own.</summary>
    public virtual bool NeedsPinning => false;

    /// <summary>The least number of actions in each arm over the run for a judgement.</summary>
    public virtual int LeastFaultActions => 0;

    /// <summary>Why such parameters are not judged, as a clause; null: they are.</summary>
    internal virtual string? NotJudgedBecause => null;

    /// <summary>Null: delivery takes no time.</summary>
    public virtual OverloadFault? Overload => null;

    /// <summary>Null: servers are not stopped.</summary>
    public virtual RestartFault? Restart => null;

    /// <summary>True: needs servers that the run starts, as processes or by their settings.</summary>
    public virtual bool NeedsOwnServers => true;

    /// <summary>True: failed connects are part of the experiment and do not make the run invalid.</summary>
    public virtual bool IsAboutConnects => false;

    /// <summary>True: servers are killed, which loses their counts.</summary>
    public bool KillsServers => Restart is not null;

    /// <summary>True: the queue is killed.</summary>
    public virtual bool KillsQueue => false;

    public virtual IReadOnlyList<string> DefaultArms => [Relays.Direct, Relays.PubSub];

    /// <summary>Warm-up iterations per arm, level and block that a run with <c>--fault</c> has at least.</summary>
    public virtual int LeastWarmUps => 0;

    /// <summary>
    /// The least spread of messages when a scenario is run with this fault, unless they come in a burst. Zero: as in the scenario.
    /// </summary>
    public virtual TimeSpan LeastSpread => TimeSpan.Zero;

    /// <summary>The profile and its parameters, such as <c>churn (every 1s, away 200ms)</c>.</summary>
    public sealed override string ToString() => Parameters.Count == 0
        ? Profile
        : $"{Profile} ({string.Join(", ", Parameters.Select(parameter => $"{parameter.Key} {parameter.Text}"))})";

    private protected static FaultKey Time<T>(string name, Func<T, TimeSpan> get, Func<T, TimeSpan, T> set)
        where T : Fault => new(
            name, fault => new(name, Duration.Text(get((T)fault))), (fault, value) => set((T)fault, JsonValue.Time(name, value)));

    private protected static FaultKey Number<T>(string name, Func<T, int> get, Func<T, int, T> set)
        where T : Fault => new(
            name, fault => new(name, $"{get((T)fault)}", IsNumber: true), (fault, value) => set((T)fault, JsonValue.Number(name, value)));

    private protected static FaultKey Share<T>(string name, Func<T, double> get, Func<T, double, T> set)
        where T : Fault => new(
            name, fault => new(name, get((T)fault).ToString("R", CultureInfo.InvariantCulture), IsNumber: true),
            (fault, value) => set((T)fault, JsonValue.Share(name, value)));

    /// <summary>Actions in an iteration, in order: one ends before the next begins.</summary>
    /// <param name="spread">Over which messages are due.</param>
    /// <param name="numbers">From which moments are drawn.</param>
    internal virtual IReadOnlyList<FaultAction> Actions(TimeSpan spread, SplitMix64 numbers) => [];

    /// <summary>This fault with a parameter set; null: it has no such parameter.</summary>
    /// <exception cref="ScenarioException">The value is invalid.</exception>
    internal Fault? With(string key, JsonElement value) => Keys.FirstOrDefault(one => one.Name == key)?.Set(this, value);

    /// <summary>One sentence on the first invalid value in such a scenario and what is allowed; null: all are valid.</summary>
    internal virtual string? WhatIsWrong(Scenario scenario) => null;

    /// <summary>The same for an outage of the queue.</summary>
    /// <param name="scenario">With when messages are due.</param>
    /// <param name="at">From the first due.</param>
    /// <param name="length">Of the absence.</param>
    /// <param name="key">The parameter that the length is.</param>
    protected string? WhatIsWrongWith(Scenario scenario, TimeSpan at, TimeSpan length, string key) =>
        length < ShortestAbsence ? $"'{key}' of the fault {Profile} must be {Duration.Text(ShortestAbsence)} or more."
        : at + length > scenario.Arrivals.Spread
            ? $"The fault {Profile} must end while messages are still due: 'at' + '{key}' is {Duration.Text(at + length)}, and "
                + $"'arrival' is {scenario.Arrivals}."
        : null;
}

/// <summary>A parameter of a profile as a scenario has it.</summary>
/// <param name="Key">Its name.</param>
/// <param name="Text">Its value.</param>
/// <param name="IsNumber">True: a JSON number; false: a string.</param>
public readonly record struct FaultParameter(string Key, string Text, bool IsNumber = false);

/// <summary>Reads and sets a parameter of a profile.</summary>
internal sealed record FaultKey(string Name, Func<Fault, FaultParameter> Get, Func<Fault, JsonElement, Fault> Set);
