namespace PubSubOverWs.Experiment.Reports;

/// <summary>Calls to the queue, or bytes of their requests, per delivered message.</summary>
public sealed record QueuePerMessage(double Send, double Receive, double Delete, double ChangeVisibility, double Other, double Total);
