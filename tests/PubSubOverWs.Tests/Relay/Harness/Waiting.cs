namespace PubSubOverWs.Tests.Relay;

/// <summary>Tests wait for events. The limit is there only so that a broken server fails a test rather than hanging it.</summary>
internal static class Waiting
{
    public static readonly TimeSpan Limit = TimeSpan.FromSeconds(30);

    public static Task Patiently(this Task task) => task.WaitAsync(Limit);

    public static Task<T> Patiently<T>(this Task<T> task) => task.WaitAsync(Limit);
}
