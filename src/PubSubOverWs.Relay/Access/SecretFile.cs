namespace PubSubOverWs.Relay;

/// <summary>A secret that stands alone in a file; a line end behind it does not belong to it.</summary>
internal static class SecretFile
{
    private const int BadUsage = 5;

    /// <param name="what">For sentences, such as "token of /stats".</param>
    /// <param name="least">Fewest characters that are taken.</param>
    /// <exception cref="StartFailedException">The file cannot be read, or the secret is too short.</exception>
    public static string Read(string path, string what, int least)
    {
        try
        {
            var secret = File.ReadAllText(path).TrimEnd('\r', '\n');
            return secret.Length >= least
                ? secret
                : throw new StartFailedException($"The {what} in {path} is shorter than {least} characters: make a longer one.", BadUsage);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new StartFailedException($"The {what} cannot be read: {failure.Message}", BadUsage);
        }
    }
}
