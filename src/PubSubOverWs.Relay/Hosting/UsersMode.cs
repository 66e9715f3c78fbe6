namespace PubSubOverWs.Relay;

/// <summary>
/// A server that is called with <c>users add</c> starts nothing: it makes an entry of the file of users. Here and not in the load runner,
/// because the writer and the reader of a passcode's hash must agree, and servers are where users are needed.
/// </summary>
internal sealed class UsersMode(string[] args)
{
    public const string Usage = "users add       add a user to a file of users; by itself it says how";

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
