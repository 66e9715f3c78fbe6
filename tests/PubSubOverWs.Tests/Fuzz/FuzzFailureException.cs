namespace PubSubOverWs.Tests.Fuzz;

/// <summary>A step found something: its message says how to repeat it.</summary>
internal sealed class FuzzFailureException(string target, ulong seed, long step, Exception found)
    : Exception(
        $"{target}, seed {seed}, step {step}: {found.Message} Repeat it with --target {target} --seed {seed} --step {step}.", found);
