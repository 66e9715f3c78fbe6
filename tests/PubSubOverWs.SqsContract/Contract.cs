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

/// <summary>One behaviour of an SQS endpoint.</summary>
/// <param name="Name">Its theme and a sentence, such as <c>Visibility: A received message is hidden from others</c>: the class and the
/// method.</param>
/// <param name="TryAsync">Tries it; throws when the endpoint behaves otherwise.</param>
public sealed record Behaviour(string Name, Func<Trial, Task> TryAsync);

/// <summary>
/// Marks a method <c>static Task Sentence_about_SQS(Trial trial)</c> as a behaviour of the contract. It throws when the endpoint
/// behaves otherwise.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BehaviourAttribute : Attribute;
