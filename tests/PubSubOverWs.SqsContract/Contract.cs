using System.Reflection;

namespace PubSubOverWs.SqsContract;

/// <summary>
/// The contract of an SQS endpoint: the methods of this assembly that are marked with <see cref="BehaviourAttribute"/>.
/// </summary>
public static class Contract
{
    /// <summary>All behaviours, ordered by theme and name.</summary>
    public static IReadOnlyList<Behaviour> Behaviours { get; } =
    [
        .. from theme in typeof(Contract).Assembly.GetTypes()
           from method in theme.GetMethods(BindingFlags.Static | BindingFlags.Public)
           where method.IsDefined(typeof(BehaviourAttribute))
           orderby theme.Name, method.Name
           select new Behaviour($"{theme.Name}: {method.Name.Replace('_', ' ')}", method.CreateDelegate<Func<Trial, Task>>()),
    ];
}
