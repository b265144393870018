public import FoundationEssentials
public import Gatebook

extension HTTPReply {
  /// The body after decompression; empty when the request's sink took it.
  public var data: Data {
    get { Data(body) }
    set { body = Array(newValue) }
  }
}

extension HTTPRequest {
  /// The body; empty for none.
  public var data: Data {
    get { Data(body) }
    set { body = Array(newValue) }
  }
}

extension Secret {
  /// Keeps a copy of the bytes; the data itself is not wiped.
  public init(_ data: Data) {
    self.init(Array(data))
  }
}

extension BodySource {
  /// A file whose bytes are read while they are sent.
  ///
  /// - Parameter url: A `file` URL.
  /// - Returns: A source that can be read again.
  /// - Throws: `configuration.invalid` for any other URL, and what `file(_:)` throws for the path.
  public static func file(_ url: URL) throws(GatebookError) -> BodySource {
    guard url.isFileURL else {
      throw GatebookError(
        .configurationInvalid, "The body is to be read from a URL that is not a file.",
        kept: "Nothing was sent.", remedy: "Give the URL of a file.")
    }
    return try file(url.path(percentEncoded: false))
  }
}
