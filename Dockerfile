# One build for all images; docker-compose.yml names the stage of each. The last images have no shell and run as a user without rights.
FROM mcr.microsoft.com/dotnet/sdk:10.0-noble AS build
WORKDIR /source
COPY . .
# The load runner brings the servers with it, in servers/<name>/.
RUN dotnet publish loadtest/PubSubOverWs.LoadTest/PubSubOverWs.LoadTest.csproj -c Release -o /published

FROM mcr.microsoft.com/dotnet/aspnet:10.0-noble-chiseled AS direct
ENV ASPNETCORE_HTTP_PORTS=8080
EXPOSE 8080
WORKDIR /app
COPY --from=build /published/servers/direct .
ENTRYPOINT ["dotnet", "PubSubOverWs.DirectServer.dll"]

FROM mcr.microsoft.com/dotnet/aspnet:10.0-noble-chiseled AS pubsub
ENV ASPNETCORE_HTTP_PORTS=8080
EXPOSE 8080
WORKDIR /app
COPY --from=build /published/servers/pubsub .
ENTRYPOINT ["dotnet", "PubSubOverWs.PubSubServer.dll"]

FROM mcr.microsoft.com/dotnet/aspnet:10.0-noble-chiseled AS loadtest
WORKDIR /app
COPY --from=build /published .
ENTRYPOINT ["dotnet", "PubSubOverWs.LoadTest.dll"]
