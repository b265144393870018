internal import Gatebook
internal import GatebookSystem

/// A place whose token is renewed while a program runs.
enum RenewedToken: Sendable {
  /// A file in a folder of its own.
  case folder(TokenFolder)
  /// A file in memory.
  case memory(OpenFile)

  /// One page: more than that could be read in part.
  private static let mostInMemory = 4_096

  /// What keeps the place.
  var descriptor: Int32 {
    switch self {
    case .folder(let folder): folder.lock.descriptor
    case .memory(let file): file.descriptor
    }
  }

  /// Puts a token into it.
  ///
  /// - Throws: `storage.full`, `configuration.invalid`, or `limit.exceeded` for a token that is too
  ///   long for memory.
  func replace(by token: IssuedToken) throws(GatebookError) {
    switch self {
    case .folder(let folder): try folder.write(token)
    case .memory(let file):
      let bytes = Array(token.text.utf8)
      guard bytes.count <= Self.mostInMemory else {
        throw GatebookError(
          .limitExceeded, "The token is longer than the \(Self.mostInMemory) bytes of `--fd`.",
          kept: GatebookError.sessionKept, remedy: "Use `--file NAME` instead of `--fd N`.")
      }
      guard file.replace(by: bytes) else {
        throw GatebookError(
          .limitExceeded, "There is no memory for the token.", kept: GatebookError.sessionKept,
          remedy: "End other programs, then try again.", cause: SystemError.last.text)
      }
    }
  }

  /// Removes it.
  func remove() {
    if case .folder(let folder) = self { folder.remove() }
  }
}
