namespace PubSubOverWs.Experiment.Design;

/// <summary>The names of the arms, as they stand in scenarios, files and gates.</summary>
public static class Arms
{
    public const string Direct = "direct";

    public const string PubSub = "pubsub";

    /// <summary>
    /// A direct server that keeps in memory what cannot be delivered yet, because delivering costs time or nobody is subscribed: what
    /// buffering alone explains.
    /// </summary>
    public const string Buffered = "direct+buffer";

    /// <summary>Not an arm that is compared: a null echo, the floor of what the set-up can resolve.</summary>
    public const string Floor = "floor";

    private static readonly string[] Instances = ["-a", "-b"];

    /// <summary>
    /// The arms of an A/A run: two separately started instances of one server, such as <c>direct-a</c> and <c>direct-b</c>.
    /// </summary>
    /// <param name="server"><see cref="Direct"/> or <see cref="PubSub"/>.</param>
    public static IReadOnlyList<string> AgainstItself(string server) => [.. Instances.Select(instance => server + instance)];

    /// <summary>Which server an arm is: <c>direct</c> for <c>direct</c>, <c>direct-a</c> and <c>direct+buffer</c>.</summary>
    public static string ServerOf(string arm) => arm == Buffered ? Direct : arm[..^InstanceOf(arm).Length];

    /// <summary>What tells two instances of one server apart, such as <c>-a</c>; empty where there is one.</summary>
    public static string InstanceOf(string arm) =>
        Array.Find(Instances, instance => arm.EndsWith(instance, StringComparison.Ordinal)) ?? "";
}
