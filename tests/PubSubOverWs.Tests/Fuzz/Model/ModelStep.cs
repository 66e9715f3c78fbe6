using FsCheck;
using FsCheck.Experimental;
using FsCheck.Fluent;

namespace PubSubOverWs.Tests.Fuzz.Model;

/// <summary>One thing that happens to the queue and to its model.</summary>
/// <param name="does">Gets the model as it was before and as it is after; false: what is tested did otherwise.</param>
internal sealed class ModelStep<T>(
    string name, Func<QueueModel, QueueModel> next, Func<T, QueueModel, QueueModel, bool> does, Func<QueueModel, bool> isPossible)
    : Operation<T, QueueModel>
{
    private QueueModel _before = QueueModel.Empty;

    public override bool Pre(QueueModel model) => isPossible(model);

    public override QueueModel Run(QueueModel model)
    {
        _before = model;
        return next(model);
    }

    public override Property Check(T actual, QueueModel model) => does(actual, _before, model).ToProperty();

    public override string ToString() => name;
}
