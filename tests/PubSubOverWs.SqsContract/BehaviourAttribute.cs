namespace PubSubOverWs.SqsContract;

/// <summary>
/// Marks a method <c>static Task Sentence_about_SQS(Trial trial)</c> as a behaviour of the contract. It throws when the endpoint
/// behaves otherwise.
/// </summary>
[AttributeUsage(AttributeTargets.Method)]
public sealed class BehaviourAttribute : Attribute;
