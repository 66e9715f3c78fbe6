using System.ComponentModel.DataAnnotations;

namespace PubSubOverWs.LocalSqs;

/// <summary>Whom the server answers. Bound from the section <c>LocalSqs</c>.</summary>
public sealed class LocalSqsOptions
{
    /// <summary>Requests must be signed (Signature Version 4) with this key and <see cref="SecretKey"/>, of any region.</summary>
    [Required]
    public string AccessKey { get; set; } = "test";

    [Required]
    public string SecretKey { get; set; } = "test";
}
