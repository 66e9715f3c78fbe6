using PubSubOverWs.Hosting;

namespace PubSubOverWs.Relay;

/// <summary>
/// <c>users add LOGIN</c>: adds an entry to the users file, and starts nothing. The passcode is never on the command line, which every
/// program can see. Here and not in the load runner, because the writer and the reader of a passcode's hash must agree, and servers are
/// where users are needed.
/// </summary>
internal sealed record UsersAdd
{
    private const int ShortestPasscode = 8;
    private const string Usage =
        "Write users add LOGIN --publish PREFIX --subscribe PREFIX [--file FILE] [--passcode-file FILE] [--token-file FILE]: with "
            + "neither of the last two the passcode is read from standard input.";

    public required string Login { get; init; }

    /// <summary>The users file, created if it is missing; null: the whole file is written to standard output.</summary>
    public string? File { get; init; }

    /// <summary>Null: the passcode is read from standard input.</summary>
    public string? PasscodeFile { get; init; }

    /// <summary>Where a new token is written; null: the user gets a passcode and no token.</summary>
    public string? TokenFile { get; init; }

    public IReadOnlyList<string> Publish { get; init; } = [];

    public IReadOnlyList<string> Subscribe { get; init; } = [];

    /// <exception cref="StartFailedException">They cannot be understood.</exception>
    public static UsersAdd Parse(ReadOnlySpan<string> words)
    {
        if (words is not ["add", var login, .. var options] || login.StartsWith('-') || login.Length == 0)
            throw new StartFailedException(Usage);
        Dictionary<string, List<string>> values = new()
        { ["--file"] = [], ["--passcode-file"] = [], ["--token-file"] = [], ["--publish"] = [], ["--subscribe"] = [] };
        for (; options is [var name, var value, .. var rest]; options = rest)
        {
            if (!values.TryGetValue(name, out var given))
                throw new StartFailedException($"'users add' has no option '{name}'. {Usage}");
            given.Add(value);
        }
        if (options.Length > 0)
            throw new StartFailedException($"'{options[0]}' stands alone. {Usage}");
        var add = new UsersAdd
        {
            Login = login,
            File = values["--file"].LastOrDefault(),
            PasscodeFile = values["--passcode-file"].LastOrDefault(),
            TokenFile = values["--token-file"].LastOrDefault(),
            Publish = values["--publish"],
            Subscribe = values["--subscribe"],
        };
        add.Check();
        return add;
    }

    /// <summary>Adds the user, or replaces the one of that login.</summary>
    /// <param name="input">For the passcode; null: it is a terminal, which would show it.</param>
    /// <param name="output">For the file when none is named.</param>
    /// <returns>A sentence that says what was done, without secrets.</returns>
    /// <exception cref="StartFailedException">A file cannot be used, or there is no passcode.</exception>
    public string Run(TextReader? input, TextWriter output)
    {
        var token = TokenFile is null ? null : BearerToken.Create();
        var entry = new UserEntry
        {
            Login = Login,
            Passcode = TokenFile is not null && PasscodeFile is null ? null : PasscodeHash.Create(ReadPasscode(input)).Text,
            Token = token is null ? null : BearerToken.Hash(token),
            Publish = Publish,
            Subscribe = Subscribe,
        };
        var others = File is not null && System.IO.File.Exists(File) ? UsersFile.Read(File).Users.Where(user => user.Login != Login) : [];
        var text = UsersFile.Write(new UsersDocument([.. others, entry]));
        try
        {
            if (token is not null)
                SecretFile.Write(TokenFile!, token + "\n");
            if (File is not null)
                SecretFile.Write(File, text);
            else
                output.Write(text);
        }
        catch (Exception failure) when (failure is IOException or UnauthorizedAccessException)
        {
            throw new StartFailedException($"The user '{Login}' was not added: {failure.Message}");
        }
        return $"The user '{Login}' was added{(File is null ? "" : $" to {File}")}: servers read it when they start.";
    }

    private void Check()
    {
        if (Publish.Count + Subscribe.Count == 0)
            throw new StartFailedException(
                $"The user '{Login}' may do nothing: say --publish and --subscribe and what destinations begin with, such as --publish "
                    + "/queue/orders/, or / for all.");
        if (Publish.Concat(Subscribe).FirstOrDefault(prefix => prefix is not ['/', ..]) is { } wrong)
            throw new StartFailedException($"'{wrong}' is no beginning of a destination: write such as /queue/orders/, or / for all.");
    }

    private string ReadPasscode(TextReader? input)
    {
        if (PasscodeFile is not null)
            return SecretFile.Read(PasscodeFile, "passcode", ShortestPasscode, isToken: false);
        if (input is null)
            throw new StartFailedException(
                "The passcode would be seen on the terminal: give it on standard input, such as users add LOGIN ... < FILE, or name its "
                    + "file with --passcode-file.");
        var line = input.ReadLine() ?? "";
        if (SecretText.FindFault(line, isToken: false) is { } fault)
            throw new StartFailedException($"The passcode on standard input {fault}.");
        return line.Length >= ShortestPasscode
            ? line
            : throw new StartFailedException(
                $"The passcode on standard input is shorter than {ShortestPasscode} characters: choose a longer one.");
    }
}

/// <summary>A server that is called with <c>users add</c> starts nothing.</summary>
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
            Console.Error.WriteLine(add.Run(Console.IsInputRedirected ? Console.In : null, Console.Out));
            return Done;
        }
        catch (StartFailedException refused)
        {
            Console.Error.WriteLine(refused.Message);
            return refused.ExitCode;
        }
    }
}
