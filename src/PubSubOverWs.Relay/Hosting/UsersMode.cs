namespace PubSubOverWs.Relay;

/// <summary>
/// A server that is called with <c>users add</c> starts nothing: it makes an entry of the users file. Here and not in the load runner,
/// because who writes a passcode's hash and who reads it must agree, and a server is where it is needed.
/// </summary>
internal sealed class UsersMode(string[] args)
{
    private const int Done = 0;

    public static bool IsAsked(string[] args) => args is ["users", ..];

    /// <returns>0: the user was added; 5: it was not, and one sentence on standard error says why.</returns>
    public int Run()
    {
        try
        {
            var add = UsersAdd.Parse(args.AsSpan(1));
            var sentence = add.Run(Console.IsInputRedirected ? Console.In : null, Console.Out);
            Console.Error.WriteLine(sentence);
            return Done;
        }
        catch (StartFailedException refused)
        {
            Console.Error.WriteLine(refused.Message);
            return refused.ExitCode;
        }
    }
}
