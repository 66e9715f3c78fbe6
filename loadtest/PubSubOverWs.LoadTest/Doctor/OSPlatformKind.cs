namespace PubSubOverWs.LoadTest.Doctor;

public enum OSPlatformKind
{
    Linux,
    Windows,
    MacOS,
    Other,
}
