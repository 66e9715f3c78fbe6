namespace PubSubOverWs.Record.Scenarios;

/// <summary>An experiment with all of its values, including defaults: the run as data.</summary>
public abstract record Scenario
{
    /// <summary>The most load processes that can share the clients.</summary>
    public const int MaxWorkers = 64;

    /// <summary>Whether an arm is steady is asked of its last three warm-ups: two that are equally cold are soon found.</summary>
    public const int JudgedWarmUps = 3;

    /// <summary>Names the folder under results/.</summary>
    public required string Name { get; init; }

    /// <summary>The experiment that it is of: its keys and its arms.</summary>
    public abstract ScenarioKind Kind { get; }

    /// <summary>The arms that are run, or two instances of one target (an A/A run); their order here means nothing.</summary>
    public IReadOnlyList<Arm> Arms { get; init; } = [];

    /// <summary>The arms of a scenario that names none: all that there are, if it does not say others.</summary>
    public virtual IReadOnlyList<string> DefaultArms => [.. Kind.Arms.Select(arm => arm.Name)];

    /// <summary>The levels, in the order in which they run.</summary>
    public abstract IReadOnlyList<Level> Levels { get; }

    /// <summary>True: its levels are rates that are offered, and those that an arm does not hold are part of the experiment.</summary>
    public bool OffersRates => Factors.Any(factor => factor.IsRate);

    public IReadOnlyList<Factor> Factors => Kind.Factors;

    /// <summary>Measured iterations per arm and level, over all blocks. 1 to 10,000.</summary>
    public int Iterations { get; init; } = 30;

    /// <summary>Servers and queue are started afresh for each. 1 to <see cref="Iterations"/>.</summary>
    public int Blocks { get; init; } = 5;

    /// <summary>Iterations per arm, level and block that are recorded, flagged and left out. 0 to 100.</summary>
    public int WarmUps { get; init; } = 2;

    /// <summary>
    /// After <see cref="WarmUps"/> an arm has further ones until it is steady, with those as many as this. <see cref="JudgedWarmUps"/>
    /// to 100, and no less than <see cref="WarmUps"/>. 0: no further ones, and nobody asks whether the arm is steady.
    /// </summary>
    public int MostWarmUps { get; init; }

    /// <summary>The warm-ups that an arm has in any case.</summary>
    public int LeastWarmUps => MostWarmUps == 0 ? WarmUps : Math.Max(WarmUps, JudgedWarmUps);

    /// <summary>When the messages of an iteration are due.</summary>
    public abstract Arrival Arrivals { get; }

    /// <summary>The message flows: at least one, with unique names, and at least one of them judged.</summary>
    public virtual IReadOnlyList<Flow> Flows => [Flow.Message(Arrivals)];

    /// <summary>From due; what comes later is late. 1 ms to 10 min.</summary>
    public TimeSpan Deadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>
    /// The whole body of a message: id, user, sequence, checksum, filling. 64 to 65,536 bytes where a scenario can set it.
    /// </summary>
    public int PayloadBytes { get; init; } = 100;

    /// <summary>True: every SEND asks for a receipt, so that the guarantee loss is defined.</summary>
    public bool Receipts { get; init; }

    /// <summary>True: the server under test runs on one core, load and queue on the other, where the system can do it.</summary>
    public bool Pinning { get; init; } = true;

    /// <summary>True: one null-echo iteration per level and block, the floor of the set-up.</summary>
    public bool Floor { get; init; } = true;

    /// <summary>Determines the order of the arms and the random choices of a fault, and nothing else.</summary>
    public long Seed { get; init; } = 2015;

    /// <summary>The conditions for exit code 0; docs/reference/record.md has the grammar.</summary>
    public IReadOnlyList<string> Gates { get; init; } = [];

    /// <summary>The margins within which <c>compare</c> calls two runs equivalent.</summary>
    public Margins Margins { get; init; } = Margins.None;

    /// <summary>The changes of <c>--quick</c>; null: the scenario has no quick form.</summary>
    public QuickForm? Quick { get; init; }

    /// <summary>
    /// Deliberate faults, as far as they matter for checking and showing a record: losses are clustered, and the load waits for missing
    /// messages. Null: the experiment has none.
    /// </summary>
    public virtual Disturbance? Disturbance => null;

    /// <summary>Numbers that each trial records in addition to its row.</summary>
    public virtual IReadOnlyList<Measure> Measures => [];

    /// <summary>The same at one level: where it is null nothing is done on purpose.</summary>
    public Disturbance? DisturbanceAt(Level level) => this is ILevelPlan plan ? plan.DisturbanceOf(level) : Disturbance;

    /// <summary>Measured iterations of each arm at a level, over all blocks: 1 or more.</summary>
    public int IterationsAt(Level level) => this is ILevelPlan plan ? plan.IterationsOf(level) : Iterations;

    /// <summary>Warm-ups that are planned for each arm at a level in each block; not all may run.</summary>
    public int WarmUpsAt(Level level) => this is ILevelPlan plan ? plan.WarmUpsOf(level) : MostPlannedWarmUps;

    internal int MostPlannedWarmUps => Math.Max(WarmUps, MostWarmUps);

    /// <summary>False: the arm does not run at the level, which asks nothing of it.</summary>
    public bool Has(Arm arm, Level level) => this is not ILevelPlan plan || plan.Runs(arm, level);

    /// <summary>What reports and dry runs say of it beside its common values.</summary>
    /// <param name="isPinned">Processes were kept on cores of their own.</param>
    public virtual ScenarioText Describe(bool isPinned) => ScenarioText.Empty;

    /// <summary>What messages carry, for reports.</summary>
    public string PayloadText => Describe(isPinned: false).Payload ?? $"{PayloadBytes} bytes";

    /// <summary>True: all arms at all levels of an iteration run at once (<see cref="ISimultaneousTrials"/>).</summary>
    public bool IsTogether => this is ISimultaneousTrials;

    /// <summary>How many trials, in the order of the plan, run at once: a round.</summary>
    public int TrialsAtOnce => IsTogether ? Arms.Count * Levels.Count : 1;

    /// <summary>The most users that are connected at once: at any level, or in all trials that run at once.</summary>
    public int MaxUsers => IsTogether
        ? Arms.Sum(arm => Levels.Sum(level => UsersOf(arm.Name, level)))
        : Levels.Max(level => LoadAt(level).Users);

    public abstract LevelLoad LoadAt(Level level);

    /// <summary>How many users are connected at once at a level, as <see cref="LoadAt"/> says; so do the three that follow.</summary>
    public int UsersAt(Level level) => LoadAt(level).Users;

    public long Attempts(Level level) => LoadAt(level).Attempts;

    public long Sends(Level level) => LoadAt(level).Sends;

    /// <summary>The attempts of one flow. Null: that is not known beforehand.</summary>
    public long? AttemptsOf(Flow flow, Level level) =>
        Flows.Count == 1 ? Attempts(level) : LoadAt(level).AttemptsByFlow?[Flows.Index().First(one => one.Item == flow).Index];

    /// <summary>How many connections a user has open at once.</summary>
    public int ConnectionsPerUser => Levels.Max(level => LoadAt(level).ConnectionsPerUser);

    /// <summary>Load processes that share the clients: as many as the level needs that needs most. 1: the run itself.</summary>
    public int Workers => Levels.Select(level => LoadAt(level).Workers).Append(1).Max();

    public Arrival ArrivalsAt(Level level) => LoadAt(level).Arrivals ?? Arrivals;

    /// <summary>True: for most of a trial nothing is sent, so that the load's share of a core is no mean over what it is for.</summary>
    public bool IsMostlyIdle => !Arrivals.IsBurst
        && Levels.All(level => LoadAt(level).Sends < ArrivalsAt(level).Spread / TimeSpan.FromSeconds(1));

    /// <summary>How many users are connected in the trials of an arm.</summary>
    public virtual int UsersOf(string arm, Level level) => LoadAt(level).Users;

    /// <summary>True: an A/A run, two instances of one target.</summary>
    public bool IsAgainstItself => Arms.Any(arm => arm.Instance.Length > 0);

    /// <summary>The main contrast, or that of an A/A run.</summary>
    public Contrast Compared => Contrasts[0];

    /// <summary>
    /// All that is compared: the contrasts of the experiment whose arms are run, or that of an A/A run. Where none has both its arms it is
    /// the first, with nothing to compare.
    /// </summary>
    public IReadOnlyList<Contrast> Contrasts
    {
        get
        {
            if (IsAgainstItself)
                return [new(Arms.MinBy(arm => arm.Instance, StringComparer.Ordinal)!.Name,
                    Arms.MaxBy(arm => arm.Instance, StringComparer.Ordinal)!.Name)];
            Contrast[] run =
            [
                .. Kind.Contrasts.Concat(Elsewhere.Select(arm => new Contrast(Kind.Contrasts[0].First, arm.Name)))
                    .Where(one => FindArm(one.First) is not null && FindArm(one.Second) is not null),
            ];
            return run.Length > 0 ? run : [Kind.Contrasts[0]];
        }
    }

    /// <summary>
    /// The arms that a report shows: the two compared with others that are run between them, or, with several contrasts, in the order of
    /// the experiment.
    /// </summary>
    public IReadOnlyList<string> ShownArms
    {
        get
        {
            string[] run = [.. Kind.Arms.Concat(Elsewhere).Select(arm => arm.Name).Where(name => FindArm(name) is not null)];
            return Contrasts.Count > 1 ? run : [Compared.First, .. run.Except([Compared.First, Compared.Second]), Compared.Second];
        }
    }

    private IEnumerable<Arm> Elsewhere => Arms.Where(arm => arm.IsElsewhere);

    /// <summary>True: messages of an arm go through a queue.</summary>
    public bool HasQueue => Arms.Any(arm => arm.HasQueue);

    /// <summary>Its arm of this name, or the floor; null: there is none.</summary>
    public Arm? FindArm(string name) => name == Arm.Floor.Name ? Arm.Floor : Arms.FirstOrDefault(arm => arm.Name == name);

    /// <summary>How the servers of an arm are started in each block.</summary>
    public virtual ServerSetUp SetUp(Arm arm) => ServerSetUp.Default;

    /// <summary>External actions while a trial runs; null: none.</summary>
    public virtual TrialPlan? Plan(Trial trial) => null;

    /// <summary>The scenario with its quick form put in.</summary>
    /// <exception cref="ScenarioException">It has none.</exception>
    public Scenario ToQuick() => Quick is null
        ? throw new ScenarioException($"The scenario '{Name}' has no quick form: omit --quick.")
        : Quick.ApplyTo(this).Checked();

    /// <summary>The scenario with its levels from low to high.</summary>
    public Scenario Ordered() => Kind.Keys.Aggregate(this, (scenario, key) => key.Sort?.Invoke(scenario) ?? scenario);

    /// <summary>The scenario with the levels of another of its experiment; of another experiment it has none to take.</summary>
    internal Scenario WithLevelsOf(Scenario other) => other.Kind != Kind
        ? this
        : Kind.Keys.Where(key => key.IsOfLevels).Aggregate(this, (scenario, key) => key.Copy(other, scenario));

    /// <summary>The scenario with what another says of its queue.</summary>
    internal virtual Scenario WithQueueOf(Scenario other) => this;

    /// <param name="prefix">Of the keys in messages, such as <c>quick.</c>.</param>
    internal abstract void CheckLevels(string prefix);

    /// <summary>Checks the ranges of the values that only this experiment has.</summary>
    internal virtual void CheckOwn()
    {
    }
}

/// <summary>The size of one iteration of a level.</summary>
/// <param name="Users">How many users are connected at once.</param>
/// <param name="Attempts">How many messages it attempts, each for one recipient.</param>
public sealed record LevelLoad(int Users, long Attempts)
{
    /// <summary>How many messages it sends: fewer, where one is meant for several recipients.</summary>
    public long Sends { get; init; } = Attempts;

    /// <summary>True: they are sent while time passes, and take none in addition to that over which they are due.</summary>
    public bool SendsMeanwhile { get; init; }

    /// <summary>The attempts of each flow, in their order. Null: that is not known beforehand.</summary>
    public IReadOnlyList<long>? AttemptsByFlow { get; init; }

    /// <summary>How many connections a user has open at once.</summary>
    public int ConnectionsPerUser { get; init; } = 1;

    /// <summary>Load processes that share its users: 1 to <see cref="Scenario.MaxWorkers"/>.</summary>
    public int Workers { get; init; } = 1;

    /// <summary>
    /// True: its burst ends when nothing has come for a while, because what is lost never comes. What comes while the queue is proven empty
    /// has come all the same.
    /// </summary>
    public bool EndsWhenQuiet { get; init; }

    /// <summary>When the messages are due. Null: as in every level of the scenario.</summary>
    public Arrival? Arrivals { get; init; }
}

/// <summary>What reports and dry runs say of a scenario beside its common values.</summary>
public sealed record ScenarioText
{
    public static ScenarioText Empty { get; } = new();

    /// <summary>What must be known of its arms to read their figures; null: nothing.</summary>
    public string? Arms { get; init; }

    /// <summary>What messages carry; null: <see cref="Scenario.PayloadBytes"/>.</summary>
    public string? Payload { get; init; }

    /// <summary>Rows of the report's run table.</summary>
    public IReadOnlyList<(string Name, string Value)> Settings { get; init; } = [];

    /// <summary>Warnings for every reader of its results, shown before the findings.</summary>
    public IReadOnlyList<string> Cautions { get; init; } = [];

    /// <summary>Lines of a dry run: a word, and a text.</summary>
    public IReadOnlyList<(string Word, string Text)> Details { get; init; } = [];
}

/// <summary>
/// A scenario whose arms all run at once, at all levels, against servers that they share. Bytes and CPU time are then of all of them
/// together, and no row has them.
/// </summary>
public interface ISimultaneousTrials
{
    /// <summary>The conditions of connections through the proxy of a level.</summary>
    NetworkConditions NetworkAt(Level level);
}

/// <summary>
/// A scenario whose levels are not run alike: in an order of their own in each block, or with iterations, faults and arms of their own.
/// What it does not say is as in any <see cref="Scenario"/>.
/// </summary>
public interface ILevelPlan
{
    /// <summary>The levels in the order in which a block runs them.</summary>
    /// <param name="block">From 1.</param>
    IReadOnlyList<Level> LevelsIn(int block) => ((Scenario)this).Levels;

    // Names of their own: one of Scenario would be its implementation.

    /// <inheritdoc cref="Scenario.DisturbanceAt"/>
    Disturbance? DisturbanceOf(Level level) => ((Scenario)this).Disturbance;

    /// <inheritdoc cref="Scenario.IterationsAt"/>
    int IterationsOf(Level level) => ((Scenario)this).Iterations;

    /// <inheritdoc cref="Scenario.WarmUpsAt"/>
    int WarmUpsOf(Level level) => ((Scenario)this).MostPlannedWarmUps;

    /// <inheritdoc cref="Scenario.Has"/>
    bool Runs(Arm arm, Level level) => true;
}

/// <summary>
/// A scenario some of whose trials drive a part to its limit on purpose. Such a trial describes that limit and not the level: it may fill
/// the load's core, and its level has no verdict.
/// </summary>
public interface ILimitReached
{
    /// <summary>What a trial drove to its limit; null: nothing.</summary>
    string? LimitReached(IReadOnlyDictionary<string, double?> measures);
}

/// <summary>Deliberate faults of a scenario.</summary>
/// <param name="Name">Of the fault; <c>none</c> where one could happen and none does.</param>
public sealed record Disturbance(string Name)
{
    /// <summary>An experiment that could have faults, without one.</summary>
    public static Disturbance None { get; } = new("none");

    /// <summary>Servers are killed, which loses their counts.</summary>
    public bool KillsServers { get; init; }

    /// <summary>True: a loss is known only after the deadline. False: recipients learn of it earlier.</summary>
    public bool WaitsForDeadline { get; init; } = true;

    public bool KillsQueue { get; init; }

    /// <summary>Failed connects are part of the experiment and do not make the run invalid.</summary>
    public bool IsAboutConnects { get; init; }

    /// <summary>Needs servers that the run starts, as processes or by their settings.</summary>
    public bool NeedsOwnServers { get; init; }
}
