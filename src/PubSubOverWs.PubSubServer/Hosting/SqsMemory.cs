using Microsoft.Extensions.Options;
using PubSubOverWs.Relay;

namespace PubSubOverWs.PubSubServer;

/// <summary>The most memory that this server takes for its queue, in addition to the memory that both servers take.</summary>
internal static class SqsMemory
{
    // The messages of one call while it is made: their bytes, the JSON text, and the objects made of it.
    private const long PerCall = 4 << 20;

    // As JSON, and escaped once more in the call: in addition to the message itself, which counts as sent.
    private const int CopiesSent = 2;

    // A receive holds its bytes as well, and one envelope that is read before it counts: together no more than is reserved for it, within
    // the total.
    private const int CopiesReceived = 1;

    public static void Add(IServiceCollection services)
    {
        // Includes messages that are held, wait out a NACK, or are settled and not yet deleted.
        Add(services, (sqs, _) => new MemoryShare("Sqs:MaxInFlightBytes", QueueMemory.MaxBytes(sqs)));
        Add(services, (sqs, relay) => new MemoryShare(
            "Sqs calls",
            (CopiesReceived * sqs.MaxInFlightBytes) + (sqs.Sending.MaxCalls * PerCall) + (CopiesSent * relay.SentBytesTotal)));
    }

    private static void Add(IServiceCollection services, Func<SqsBrokerOptions, RelayOptions, MemoryShare> share) =>
        services.AddSingleton(provider => share(
            provider.GetRequiredService<IOptions<SqsBrokerOptions>>().Value, provider.GetRequiredService<IOptions<RelayOptions>>().Value));
}
