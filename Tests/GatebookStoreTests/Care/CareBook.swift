import GatebookEvents
import Testing

@testable import GatebookStore

/// What tests of erasing and copying share.
extension TestBook {
  /// An account's data key, wrapped, as its row holds it.
  func wrappedKey(of account: AccountID) throws -> [UInt8] {
    try ReaderConnection.open(BookFile(path: path)).wrappedKey(of: account)
  }

  /// The files of the book's folder that contain given bytes.
  func files(with searched: [UInt8]) throws -> [String] {
    try folder.names.filter { try FileBytes.read(folder.file($0)).holds(searched) }
  }
}

extension Append {
  /// Erases an account, as the library does.
  static func erasing(_ account: AccountID) -> Append {
    var append = Append([ProposedEvent(.accountErased, account: account)])
    append.vault = [.erase(account)]
    return append
  }

  /// A personal fact of an account.
  static func about(_ account: AccountID, _ text: String = "fact") -> Append {
    Append([ProposedEvent(.accountRenamed, account: account, personal: ["label": .text(text)])])
  }
}
