using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>Reads a file that contains a secret and nothing else; a line end after it is not part of it.</summary>
internal static class SecretFile
{
    /// <param name="what">Names the secret in error messages, such as "token of /stats".</param>
    /// <param name="least">The smallest number of characters that is accepted.</param>
    /// <param name="isToken">It is sent as an HTTP header.</param>
    /// <exception cref="StartFailedException">The file cannot be read, the secret is too short, or it could never match.</exception>
    public static string Read(string path, string what, int least, bool isToken)
    {
        try
        {
            var secret = File.ReadAllText(path).TrimEnd('\r', '\n');
            if (SecretText.FindFault(secret, isToken) is { } fault)
                throw new StartFailedException($"The {what} in {path} {fault}.");
            return secret.Length >= least
                ? secret
                : throw new StartFailedException($"The {what} in {path} is shorter than {least} characters: make a longer one.");
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new StartFailedException($"The {what} cannot be read: {failure.Message}");
        }
    }
}
