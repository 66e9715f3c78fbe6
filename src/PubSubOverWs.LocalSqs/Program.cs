using PubSubOverWs.Hosting;
using PubSubOverWs.LocalSqs;

var arguments = new ServerArguments(args, ChildMode.Flag);
return arguments.Answer(LocalSqsServer.Settings) ?? LocalSqsServer.Run(arguments);
