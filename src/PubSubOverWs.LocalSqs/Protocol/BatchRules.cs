using System.Buffers;

namespace PubSubOverWs.LocalSqs;

/// <summary>The rules of SQS for a whole batch, checked before its entries.</summary>
internal static class BatchRules
{
    private static readonly SearchValues<char> IdCharacters =
        SearchValues.Create("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_");

    /// <exception cref="SqsErrorException">The batch as a whole is refused.</exception>
    public static void Check<TEntry>(List<TEntry> entries, Func<TEntry, string?> idOf)
    {
        if (entries.Count == 0)
            throw new SqsErrorException(SqsError.EmptyBatchRequest, "There should be at least one entry in the request.");
        if (entries.Count > SqsLimit.BatchEntries)
        {
            throw new SqsErrorException(
                SqsError.TooManyEntriesInBatchRequest, $"Maximum number of entries per request are 10. You have sent {entries.Count}.");
        }
        for (var i = 0; i < entries.Count; i++)
        {
            var id = idOf(entries[i]);
            if (id is null or { Length: 0 or > 80 } || id.AsSpan().ContainsAnyExcept(IdCharacters))
            {
                throw new SqsErrorException(
                    SqsError.InvalidBatchEntryId,
                    "A batch entry id can only contain alphanumeric characters, hyphens and underscores. "
                        + "It can be at most 80 letters long.");
            }
            for (var earlier = 0; earlier < i; earlier++)
            {
                if (idOf(entries[earlier]) == id)
                    throw new SqsErrorException(SqsError.BatchEntryIdsNotDistinct, $"Id {id} repeated.");
            }
        }
    }
}
