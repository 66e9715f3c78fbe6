using PubSubOverWs.LoadTest.Harness.Processes;

namespace PubSubOverWs.LoadTest.Harness.Targets;

/// <summary>
/// A kind of system under test: how it is described, checked before a run, started or reached, and what its queue costs. The set-up of its
/// arms is data of the scenario (<see cref="ServerSetUp"/>).
/// </summary>
public abstract class Target
{
    /// <summary>The name by which arms refer to it.</summary>
    public abstract string Name { get; }

    /// <summary>Help for the option <c>--NAME URL</c>, for a target that may already be running; null: the run always starts it.</summary>
    public virtual string? AddressHelp => null;

    /// <summary>The option for its address.</summary>
    public string AddressOption => $"--{Name}";

    /// <summary>False: it is always running already, so that there are no two instances of it to compare.</summary>
    public virtual bool IsStartedByRuns => true;

    /// <summary>Its programs, which are beside this one.</summary>
    public virtual IReadOnlyList<ServerProgram> Programs => [];

    /// <summary>Refuses options that cannot be combined in any run.</summary>
    /// <exception cref="RefusalException">Names them and which to omit.</exception>
    public virtual void CheckOptions(TargetOptions options)
    {
    }

    /// <summary>Refuses options without effect on this run, so that a typing error is noticed.</summary>
    /// <exception cref="RefusalException">Names the option and what to do.</exception>
    public virtual void Check(TargetUse use)
    {
        RefusalException.ThrowUnless(use.Address is null || use.Arms.Any(arm => arm.Name == Name), NoUse(AddressOption));
        foreach (var arm in use.Arms.Where(arm => arm.Name != Name && arm.Instance.Length == 0))
            RefusalException.ThrowUnless(use.Address is null,
                $"The arm {arm} is a {Name} server that the run starts: omit {AddressOption}, or {arm}.");
    }

    /// <summary>Checks servers and queues that are already running, before anything is started.</summary>
    /// <exception cref="RefusalException">Names what is missing and how to fix it.</exception>
    public virtual async Task CheckAsync(TargetUse use, TimeProvider time, CancellationToken stopping)
    {
        if (use is { IsRun: true, Address: { } address })
            await new AddressCheck(Name, AddressOption, address, use.Options.Access, time).RunAsync(stopping);
    }

    /// <summary>For a dry run: its processes in this run, and its servers that are already running.</summary>
    public abstract IEnumerable<string> Processes(TargetUse use);

    /// <summary>Settings for run.json, in addition to those of the scenario.</summary>
    public virtual IEnumerable<(string Name, string Value)> Settings(TargetUse use) => [];

    /// <summary>Its queue, for run.json; null: there is none.</summary>
    public virtual QueueDescription? Queue(TargetUse use) => null;

    /// <summary>The expected cost of its queue; null: it is free, and no price was given.</summary>
    /// <param name="trials">All trials of its arms that are still to run.</param>
    /// <param name="time">The expected duration of the run.</param>
    public virtual QueueBill? Bill(TargetUse use, IReadOnlyList<Trial> trials, TimeSpan time) => null;

    /// <summary>Starts its arms for a block, or connects to the server that is already running.</summary>
    /// <param name="arms">In the order in which they are started; of several that share their servers the first.</param>
    /// <param name="block">Owns what is started.</param>
    /// <exception cref="ChildException">One could not be started.</exception>
    public abstract Task<IReadOnlyList<RunningTarget>> StartAsync(
        IReadOnlyList<Arm> arms, BlockProcesses block, CancellationToken stopping);

    protected string NoUse(string option) => $"{option} has no effect without the arm {Name}: omit it, or add {Name} to --arms.";
}

/// <summary>The queue of a target, as run.json describes it.</summary>
/// <param name="Text">Which queue it is.</param>
/// <param name="Client">The client of the servers; null: the run starts no server.</param>
/// <param name="IsOfThisRun">True: the run starts its process.</param>
public sealed record QueueDescription(string Text, string? Client, bool IsOfThisRun);
