using PubSubOverWs.Hosting;
using PubSubOverWs.LocalSqs;

var arguments = new ServerArguments(args, ChildMode.Flag);
var builder = WebApplication.CreateSlimBuilder(arguments.ForHost);
builder.AddChildMode(arguments.ForHost);
builder.AddLocalSqs();

return arguments.Answer(LocalSqsServer.Settings) ?? builder.Build().RunLocalSqs();
