internal import Gatebook

/// Where the master key of a book lives, in words that follow "its key is".
struct KeyPlace: CustomStringConvertible {
  /// The words.
  let description: String

  /// Takes the place from what the book recorded.
  ///
  /// - Parameters:
  ///   - reader: The book, opened after the last move of its key.
  ///   - folder: Where key files are that nobody has named; `nil` when that is not known.
  init(_ reader: BookReader, folder: String?) {
    switch reader.keySource {
    case "file":
      let name = "\(reader.id).key"
      let path = reader.keyDescription.parameters["path"]?.text
      description = path ?? folder.map { "\($0)/\(name)" } ?? "the key file \(name)"
    case "passphrase": description = "behind a passphrase"
    case "secret-service":
      description =
        "in the desktop keyring, as \u{201C}Gatebook: key of book \(reader.id)\u{201D}"
    default: description = "kept by another program (\(reader.keySource))"
    }
  }
}
