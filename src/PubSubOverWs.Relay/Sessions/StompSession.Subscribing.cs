using System.Globalization;
using PubSubOverWs.Stomp;

namespace PubSubOverWs.Relay;

/// <content>SUBSCRIBE, UNSUBSCRIBE, ACK and NACK.</content>
internal sealed partial class StompSession
{
    // Null until there is one: an idle connection has little.
    private Dictionary<string, Subscription>? _subscriptionsById;
    private Dictionary<int, Subscription>? _subscriptionsByIndex;
    private int _lastIndex;

    private void Subscribe(in StompFrame frame)
    {
        var destination = RequireDestination(frame);
        if (_user is { } user && !user.MaySubscribe(destination))
            throw Forbidden("subscribe", destination);
        // 1.0 requires no id; the destination then names the subscription.
        var id = Version == StompVersion.V10 ? frame.GetString(StompNames.Id) : Require(frame, StompNames.Id);
        _subscriptionsById ??= [];
        if (_subscriptionsById.ContainsKey(id ?? destination))
            throw new StompException(
                $"The subscription id '{id ?? destination}' is in use on this connection: choose another, or unsubscribe first.");
        if (_subscriptionsById.Count == Relay.Options.MaxSubscriptions)
            throw new StompException(
                $"More than {Relay.Options.MaxSubscriptions} subscriptions on one connection (Relay:MaxSubscriptions).");
        var subscription = new Subscription(Connection, destination, ReadAckMode(frame), ReadPrefetch(frame))
        {
            Version = Version,
            Id = id,
            Index = ++_lastIndex,
        };
        Keep(subscription.Bytes, "subscriptions");
        _subscriptionsById.Add(id ?? destination, subscription);
        (_subscriptionsByIndex ??= []).Add(subscription.Index, subscription);
        Add(subscription);
    }

    private void Unsubscribe(in StompFrame frame)
    {
        var id = Version == StompVersion.V10
            ? frame.GetString(StompNames.Id) ?? Require(frame, StompNames.Destination)
            : Require(frame, StompNames.Id);
        if (_subscriptionsById is null || !_subscriptionsById.Remove(id, out var subscription))
            throw new StompException($"UNSUBSCRIBE of '{id}', which is no subscription of this connection.");
        _subscriptionsByIndex!.Remove(subscription.Index);
        Forget(subscription.Bytes);
        Remove(subscription);
    }

    private void Acknowledge(in StompFrame frame, string? receipt)
    {
        var (subscription, number) = FindIssued(frame);
        var isAck = frame.Command == StompCommand.Ack;
        if (!frame.TryGet(StompNames.Transaction, out _))
        {
            Settle(subscription, number, isAck);
            Answer(receipt);
            return;
        }
        var transaction = Find(frame);
        MakeRoom(transaction, null, receipt);
        transaction.Acknowledgements.Add((subscription, number, isAck));
        if (receipt is not null)
            transaction.Receipts.Add(receipt);
    }

    /// <summary>Which message an ACK or a NACK is about; without a subscription when that is gone.</summary>
    private (Subscription? Subscription, long Number) FindIssued(in StompFrame frame)
    {
        var name = Version == StompVersion.V12 ? StompNames.Id : StompNames.MessageId;
        if (!frame.TryGet(name, out var id))
            Require(frame, name);
        if (MessageId.TryRead(Connection.Id, id, out var index, out var number) && index <= _lastIndex)
        {
            var subscription = _subscriptionsByIndex?.GetValueOrDefault(index);
            if (subscription is null || number <= subscription.LastNumber)
                return (subscription, number);
        }
        throw new StompException(
            $"{Name(frame.Command)} of '{frame.GetString(name)}', which this session never issued: use the "
                + $"{(Version == StompVersion.V12 ? "ack" : "message-id")} header of the MESSAGE.");
    }

    // Also on the broker's thread, when a transaction's messages were taken.
    private void Settle(Subscription? subscription, long number, bool isAck)
    {
        if (subscription is null || !subscription.Settle(number, isAck))
            Relay.Meter.AddLateAck();
        else if (subscription.TakeRoom())
            Relay.Broker.RoomAt(subscription.Destination);
    }

    private int ReadPrefetch(in StompFrame frame)
    {
        if (frame.GetString(StompNames.PrefetchCount) is not { } text)
            return Math.Min(Relay.Options.PrefetchCount, Relay.Options.MaxPrefetch);
        return int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var count) && count >= 1
            ? Math.Min(count, Relay.Options.MaxPrefetch)
            : throw new StompException($"The prefetch-count '{text}' is not a number from 1 to {int.MaxValue}.");
    }

    private static AckMode ReadAckMode(in StompFrame frame) => frame.GetString(StompNames.Ack) switch
    {
        null or "auto" => AckMode.Auto,
        "client" => AckMode.Client,
        "client-individual" => AckMode.ClientIndividual,
        var other => throw new StompException($"The ack mode '{other}' is not one of auto, client, client-individual."),
    };
}
