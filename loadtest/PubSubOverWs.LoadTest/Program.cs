using PubSubOverWs.LoadTest;
using PubSubOverWs.LoadTest.Bench;
using PubSubOverWs.LoadTest.Commands;

var terminal = Terminal.System;
using var interruption = new Interruption(terminal.Error);

return await CommandLine.RunAsync(
    args,
    [
        RunCommand.Create(terminal),
        ReportCommand.Create(terminal),
        CompareCommand.Create(terminal),
        ResultsCommand.Create(terminal),
        ValidateCommand.Create(terminal),
        PaperCommand.Create(terminal),
        DoctorCommand.Create(terminal),
        QueuesCommand.Create(terminal),
        BenchCommand.Create(),
        RetiredCommand.Create("kills", "run kills"),
        RetiredCommand.Create("nodes", "run nodes"),
        VersionCommand.Create(terminal),
        NullEchoCommand.Create(args),
        MisbehavingClientsCommand.Create(args),
        FaultProxyCommand.Create(args),
    ],
    terminal,
    interruption.Token);
