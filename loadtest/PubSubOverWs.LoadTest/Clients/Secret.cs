using PubSubOverWs.Experiment;
using PubSubOverWs.Hosting;

namespace PubSubOverWs.LoadTest.Clients;

/// <summary>What must not stand in a record, a log or a sentence: shown as text it says only that it is there.</summary>
public sealed class Secret
{
    public const string Mask = "given, not recorded";

    public Secret(string value) => Value = value;

    /// <summary>For the wire alone.</summary>
    public string Value { get; }

    /// <summary>A secret that stands alone in a file; a line end behind it does not belong to it.</summary>
    /// <param name="option">That names the file.</param>
    /// <param name="path">The file.</param>
    /// <param name="isToken">It is sent as an HTTP header.</param>
    /// <exception cref="RefusalException">It cannot be read, is empty, or could never match.</exception>
    public static Secret Read(string option, string path, bool isToken)
    {
        try
        {
            var text = File.ReadAllText(path).TrimEnd('\r', '\n');
            if (SecretText.FindFault(text, isToken) is { } fault)
                throw new RefusalException(ExitCode.BadUsage, $"The file {path} of {option} {fault}.");
            return text.Length > 0
                ? new Secret(text)
                : throw new RefusalException(ExitCode.BadUsage, $"The file {path} of {option} is empty: write the secret into it.");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new RefusalException(ExitCode.BadUsage, $"The file of {option} cannot be read: {failure.Message}", failure);
        }
    }

    public override string ToString() => Mask;
}
