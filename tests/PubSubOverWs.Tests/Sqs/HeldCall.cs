using PubSubOverWs.Sqs;

namespace PubSubOverWs.Tests.Sqs;

/// <summary>A batch call under way: it ends as the test says.</summary>
internal sealed class HeldCall(string[] bodies)
{
    private readonly TaskCompletionSource<IReadOnlyList<EntryResult>> _answer = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>The contents of its entries: bodies or receipt handles.</summary>
    public string[] Bodies { get; } = bodies;

    public Task<IReadOnlyList<EntryResult>> Answered => _answer.Task;

    /// <summary>Each message gets its body for its id.</summary>
    public void Succeed() => Answer([.. Bodies.Select(body => new EntryResult(null, body))]);

    public void Answer(params EntryResult[] results) => _answer.SetResult(results);

    public void Fail(Exception failure) => _answer.SetException(failure);
}
