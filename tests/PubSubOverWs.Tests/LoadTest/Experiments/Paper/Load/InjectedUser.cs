using System.Text;
using PubSubOverWs.LoadTest.Experiments.Paper.Load;
using PubSubOverWs.LoadTest.Harness.Clients;
using PubSubOverWs.LoadTest.Harness.Workloads;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Tests.LoadTest.Experiments.Paper.Load;

/// <summary>A user whose connection brings what the test says, and has an injector before its log.</summary>
internal sealed class InjectedUser
{
    private readonly IterationPlan _plan;
    private readonly int _index;
    private readonly Injector _injector;

    private InjectedUser(IterationPlan plan, int index, ClientLog log, Injector injector) =>
        (_plan, _index, Log, _injector) = (plan, index, log, injector);

    public ClientLog Log { get; }

    /// <summary>One that gets what the test decides.</summary>
    public static InjectedUser With(Ledger ledger, params InjectedFault[] faults)
    {
        var plan = new IterationPlan { Run = "run", Iteration = 1, Users = 2, Messages = faults.Length, Receipts = true };
        var log = NewLog(plan, 0);
        var stray = Payload.Write(plan.PayloadBytes, plan.MessageId(1, 0), 1, 0);
        var watch = new ServerWatch(log.Messages, plan.Deadline / 2, ledger);
        return new(plan, 0, log, new Injector(log, faults, stray, watch, ledger, new Random(1)));
    }

    /// <summary>One that gets what the injection decides.</summary>
    public static InjectedUser Of(IterationPlan plan, int index, FaultInjection injection)
    {
        var log = NewLog(plan, index);
        return new(plan, index, log, injection.Between(index, log));
    }

    /// <summary>The receipt and the message, as a server that works brings them.</summary>
    public void Bring(int sequence, long stamp = 0)
    {
        BringReceipt(sequence, stamp);
        BringMessage(sequence, stamp);
    }

    public void BringReceipt(int sequence, long stamp = 0, string outcome = "taken") =>
        Take(Encoding.ASCII.GetBytes($"RECEIPT\nreceipt-id:{sequence}\noutcome:{outcome}\n\n\0"), stamp);

    public void BringMessage(int sequence, long stamp = 0)
    {
        var id = _plan.MessageId(_index, sequence);
        var payload = Payload.Write(_plan.PayloadBytes, id, _index, sequence);
        Take([.. Encoding.ASCII.GetBytes(
            $"MESSAGE\ndestination:/queue/a\nmessage-id:9\nsubscription:s\nid:{id}\ncontent-length:{payload.Length}\n\n"), .. payload, 0],
                stamp);
    }

    public void Take(byte[] bytes, long stamp = 0)
    {
        Assert.True(new StompReader(new StompLimits()).TryRead(bytes, out var frame, out _));
        _injector.Take(frame, stamp);
    }

    public void End(long stamp = 0) => _injector.End(stamp);

    private static ClientLog NewLog(IterationPlan plan, int index)
    {
        var log = new ClientLog(Enumerable.Range(0, plan.Messages).Select(sequence => plan.MessageId(index, sequence)), new Countdown(1));
        foreach (var message in log.Messages)
            message.SentAt = 0;
        return log;
    }
}
