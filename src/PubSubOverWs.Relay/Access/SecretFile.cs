using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>A secret that stands alone in a file; a line end behind it does not belong to it.</summary>
internal static class SecretFile
{
    /// <param name="what">For sentences, such as "token of /stats".</param>
    /// <param name="least">Fewest characters that are taken.</param>
    /// <param name="isToken">It is sent as an HTTP header.</param>
    /// <exception cref="StartFailedException">The file cannot be read, the secret is too short, or it could never match.</exception>
    public static string Read(string path, string what, int least, bool isToken)
    {
        try
        {
            var secret = File.ReadAllText(path).TrimEnd('\r', '\n');
            if (SecretText.FindFault(secret, isToken) is { } fault)
                throw Refused($"The {what} in {path} {fault}.");
            return secret.Length >= least
                ? secret
                : throw Refused($"The {what} in {path} is shorter than {least} characters: make a longer one.");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw Refused($"The {what} cannot be read: {failure.Message}");
        }
    }

    private static StartFailedException Refused(string sentence) => new(sentence, StartFailedException.BadUsage);
}
