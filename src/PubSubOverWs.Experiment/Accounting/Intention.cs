namespace PubSubOverWs.Experiment.Accounting;

/// <summary>One message the scenario means for one recipient, known before anything is sent.</summary>
/// <param name="MessageId">The application id.</param>
/// <param name="Publisher">The user who sends.</param>
/// <param name="Sequence">The place among all messages of this publisher, ascending.</param>
/// <param name="Recipient">The user it is meant for.</param>
/// <param name="Due">When it is to be sent, from the iteration's start.</param>
public readonly record struct Intention(string MessageId, int Publisher, int Sequence, int Recipient, TimeSpan Due);
