using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>What this server's queue takes of memory at most, beside what both servers take.</summary>
internal static class SqsMemory
{
    // One call's messages as they go: the octets, the JSON's text, and what is made of it.
    private const long PerCall = 4 << 20;

    // As JSON, and escaped once more in the call: beside the message itself, which is counted as sent.
    private const int CopiesSent = 2;

    // What is being received stands there as octets too, and one envelope of it as it is read before it is counted: together no more than
    // is set aside for it, within the total.
    private const int CopiesReceived = 1;

    public static void Add(IServiceCollection services)
    {
        // What is held, waits out a NACK, or is settled and not yet deleted is among it.
        Add(services, (sqs, _) => new MemoryShare("Sqs:MaxInFlightBytes", QueueMemory.MaxBytes(sqs)));
        Add(services, (sqs, relay) => new MemoryShare(
            "Sqs calls",
            (CopiesReceived * sqs.MaxInFlightBytes) + (sqs.Sending.MaxCalls * PerCall) + (CopiesSent * relay.SentBytesTotal)));
    }

    private static void Add(IServiceCollection services, Func<SqsBrokerOptions, RelayOptions, MemoryShare> share) =>
        services.AddSingleton(provider => share(
            provider.GetRequiredService<IOptions<SqsBrokerOptions>>().Value, provider.GetRequiredService<IOptions<RelayOptions>>().Value));
}
