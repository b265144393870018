public import FoundationEssentials
public import Gatebook

extension HTTPURL {
  /// Reads a URL as strictly as `HTTPURL(_:)` reads its text.
  ///
  /// A fragment is dropped. A relative URL is resolved against its base first.
  ///
  /// - Parameter url: The URL.
  public init?(_ url: URL) {
    self.init(url.absoluteString)
  }

  /// The same URL for Foundation.
  ///
  /// - Returns: The URL, character by character; `nil` if Foundation would have to change it.
  public var url: URL? {
    let text = description
    guard let url = URL(string: text, encodingInvalidCharacters: false),
      url.absoluteString == text
    else { return nil }
    return url
  }
}
