using PubSubOverWs.LoadTest.Harness;
using PubSubOverWs.LoadTest.Harness.Targets;
using PubSubOverWs.LoadTest.Harness.Workloads;

namespace PubSubOverWs.LoadTest.Experiments.StalledReaders.Load;

/// <summary>Readers that send to themselves, and other connections beside them.</summary>
public sealed class StalledReadersExperiment : Experiment
{
    public override ScenarioKind Kind => StalledReadersScenario.Experiment;

    public override Analysis Analysis => StalledReadersAnalysis.Analysis;

    public override ILoad Load(Scenario scenario, Trial trial, string run, ServerGroup servers)
    {
        var stalled = (StalledReadersScenario)scenario;
        return new StalledReadersLoad(
            new StalledReadersPlan(
                $"{run}-{trial.Iteration}", OtherArms.DoingOf(trial.Arm.Name), stalled.Readers, trial.Level.Number, stalled.Half,
                stalled.Arrivals, stalled.PayloadBytes, stalled.Deadline),
            servers);
    }
}

/// <summary>One iteration.</summary>
/// <param name="Name">Distinguishes its messages and destinations from those of any other that meets the same server.</param>
/// <param name="Doing">The behaviour of the other connections.</param>
/// <param name="Readers">They send in turn: 1 or more.</param>
/// <param name="MaxOthers">Other connections, where there are any: 1 or more.</param>
/// <param name="Half">Messages that readers send in each half: 1 or more.</param>
/// <param name="Arrival">When the messages of both halves are due.</param>
/// <param name="PayloadBytes">Of each body.</param>
/// <param name="Deadline">From due; what comes later is late.</param>
public sealed record StalledReadersPlan(
    string Name, Doing Doing, int Readers, int MaxOthers, int Half, Arrival Arrival, int PayloadBytes, TimeSpan Deadline)
{
    /// <summary>Other connections.</summary>
    public int Others => Doing == Doing.Away ? 0 : MaxOthers;

    /// <summary>Messages of readers in both halves, numbered from 0 in the order in which they are due.</summary>
    public int Messages => 2 * Half;

    /// <summary>True: a message is of the first half, which is not judged.</summary>
    public bool IsSettling(int message) => message < Half;

    /// <summary>Messages for other connections.</summary>
    public long MessagesToOthers => ToOthersBefore(Messages);

    /// <summary>How many messages a reader sends. Readers take turns.</summary>
    public int MessagesOf(int reader) => (Messages - reader + Readers - 1) / Readers;

    /// <summary>How many messages are sent to other connections, in turn, before a message: each gets as many as a reader.</summary>
    public long ToOthersBefore(int message) =>
        Doing is Doing.Reading or Doing.Stalled ? (long)message * Others / Readers : 0;

    /// <summary>The queue of a reader.</summary>
    public string Queue(int reader) => Invariant($"/queue/{Name}-{reader}");

    /// <summary>The topic of one of the other connections.</summary>
    public string Topic(int other) => Invariant($"/topic/{Name}-{other}");

    /// <summary>The prefix of the ids of a reader's messages, before their sequence.</summary>
    public string Prefix(int reader) => Invariant($"{Name}-{reader}-");

    /// <summary>When a message is due, from the first due.</summary>
    public TimeSpan DueAt(long message) => Arrival.DueAt(message, Messages);
}
