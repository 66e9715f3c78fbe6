using PubSubOverWs.PubSubServer;
using PubSubOverWs.Relay;

var builder = RelayApplication.CreateBuilder(args);
builder.Services.AddRelay(builder.Configuration);
builder.Services.AddQueueBroker(builder.Configuration);

var app = builder.Build();
app.UseRelay();
app.MapRelay();
return RelayApplication.Run(app);
