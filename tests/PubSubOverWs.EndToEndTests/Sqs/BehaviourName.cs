using PubSubOverWs.Sqs;
using PubSubOverWs.SqsContract;
using Xunit.Abstractions;

namespace PubSubOverWs.EndToEndTests.Sqs;

/// <summary>The name of a behaviour as a row of a theory. Of a string xunit would show no more than 50 characters.</summary>
public sealed class BehaviourName(string name) : IXunitSerializable
{
    private string _name = name;

    /// <summary>For <see cref="Deserialize"/>.</summary>
    public BehaviourName()
        : this("")
    {
    }

    /// <summary>A row for each behaviour of the contract over each client.</summary>
    public static TheoryData<SqsClientKind, BehaviourName> OverBothClients
    {
        get
        {
            var rows = new TheoryData<SqsClientKind, BehaviourName>();
            foreach (var client in Enum.GetValues<SqsClientKind>())
            {
                foreach (var behaviour in Contract.Behaviours)
                    rows.Add(client, new BehaviourName(behaviour.Name));
            }

            return rows;
        }
    }

    public void Deserialize(IXunitSerializationInfo info) => _name = info.GetValue<string>("name");

    public void Serialize(IXunitSerializationInfo info) => info.AddValue("name", _name);

    public override string ToString() => _name;
}
