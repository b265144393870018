/// Where the master key is to be found, as `--key` says it.
enum KeyChoice: Hashable, Sendable {
  /// As the book says; a new book takes the best that there is.
  case automatic
  /// The desktop's keyring.
  case secretService
  /// A key file.
  case file(String)
  /// A passphrase, asked for or read from a file.
  case passphrase
  /// Without a key: encrypted facts stay encrypted.
  case none

  /// The same place as a text; a file by its whole path.
  var text: String {
    switch self {
    case .automatic: "automatic"
    case .secretService: "secret-service"
    case .file(let path): "file:\(FilePath.whole(path))"
    case .passphrase: "passphrase"
    case .none: "none"
    }
  }

  /// Reads the value of `--key` or GATEBOOK_KEY.
  init(_ text: String) throws(UsageError) {
    switch text {
    case "automatic": self = .automatic
    case "secret-service": self = .secretService
    case "passphrase": self = .passphrase
    case "none": self = .none
    default:
      guard text.hasPrefix("file:"), text.utf8.count > 5 else {
        throw UsageError(
          "The value of `--key` or $GATEBOOK_KEY is not a place of a key that Gatebook knows.",
          remedy: "Give `automatic`, `secret-service`, `file:PATH`, `passphrase` or `none`.")
      }
      self = .file(String(text.dropFirst(5)))
    }
  }
}
