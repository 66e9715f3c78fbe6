using PubSubOverWs.Experiment.Design;
using PubSubOverWs.Experiment.Records;
using PubSubOverWs.LoadTest.Processes;

namespace PubSubOverWs.LoadTest.Targets;

/// <summary>
/// A kind of system under test: how it is described, checked before a run, started or reached, and what its queue costs. How its arms are
/// set up is data of the scenario (<see cref="ServerSetUp"/>).
/// </summary>
public abstract class Target
{
    /// <summary>The name by which arms refer to it.</summary>
    public abstract string Name { get; }

    /// <summary>Help for the option <c>--NAME URL</c>, for a target that may already be running; null: the run always starts it.</summary>
    public virtual string? AddressHelp => null;

    /// <summary>The option that says where it is.</summary>
    public string AddressOption => $"--{Name}";

    /// <summary>The programs beside this one that it consists of.</summary>
    public virtual IReadOnlyList<ServerProgram> Programs => [];

    /// <summary>Refuses options that cannot go together, whatever is run.</summary>
    /// <exception cref="RefusalException">Names them and which to omit.</exception>
    public virtual void CheckOptions(TargetOptions options)
    {
    }

    /// <summary>Refuses options that have no effect on this run: a typing error must not measure something else than was meant.</summary>
    /// <exception cref="RefusalException">Names the option and what to do.</exception>
    public virtual void Check(TargetUse use)
    {
        RefusalException.ThrowUnless(use.Address is null || use.Arms.Any(arm => arm.Name == Name), NoUse(AddressOption));
        foreach (var arm in use.Arms.Where(arm => arm.Name != Name && arm.Instance.Length == 0))
            RefusalException.ThrowUnless(use.Address is null,
                $"The arm {arm} is a {Name} server that the run starts: omit {AddressOption}, or {arm}.");
    }

    /// <summary>Checks servers and queues that are already running, before anything is started.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to mend it.</exception>
    public virtual async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        if (use is { IsRun: true, Address: { } address })
            await new AddressCheck(this, address, use.Options.Access, time).RunAsync(stopping);
    }

    /// <summary>Its processes in this run, and its servers that are already running, for a dry run.</summary>
    public abstract IEnumerable<string> Processes(TargetUse use);

    /// <summary>Settings for run.json beside those of the scenario.</summary>
    public virtual IEnumerable<(string Name, string Value)> Settings(TargetUse use) => [];

    /// <summary>Its queue, for run.json; null: there is none.</summary>
    public virtual QueueDescription? Queue(TargetUse use) => null;

    /// <summary>The expected cost of its queue; null: it is free, and no price was given.</summary>
    /// <param name="use">In which run.</param>
    /// <param name="trials">All that are still to run, of its arms.</param>
    /// <param name="time">How long the run should take.</param>
    public virtual QueueBill? Bill(TargetUse use, IReadOnlyList<Trial> trials, TimeSpan time) => null;

    /// <summary>Starts its arms for a block, or connects to the server that is already running.</summary>
    /// <param name="arms">In the order in which they are started; of several that share their servers the first.</param>
    /// <param name="block">Owns what is started.</param>
    /// <param name="stopping">Ends the start.</param>
    /// <exception cref="ChildException">One could not be started.</exception>
    public abstract Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping);

    protected string NoUse(string option) => $"{option} has no effect without the arm {Name}: omit it, or add {Name} to --arms.";
}

/// <summary>The queue of a target, as run.json describes it.</summary>
/// <param name="Text">Where it is and whose.</param>
/// <param name="Client">The client that servers of the run use; null: the run starts no server.</param>
/// <param name="IsOfThisRun">True: the run starts its process.</param>
public sealed record QueueDescription(string Text, string? Client, bool IsOfThisRun);
