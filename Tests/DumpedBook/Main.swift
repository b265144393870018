internal import Gatebook
internal import Glibc

/// Opens a book with its key, holds a secret, and dies so that the kernel may write its memory
/// down.
///
/// Arguments: the book and its key file. The pattern that is searched for in the memory is in no
/// file: the program computes it from its arguments.
@main enum Main {
  static func main() async throws {
    var arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.popFirst(), let key = arguments.popFirst() else { exit(2) }
    let book = try await SessionBook.open(
      at: path, key: KeyFile(path: key),
      program: Program(name: "dumped", version: "1", installation: InstallationID(high: 1, low: 1)),
      transport: NoTransport())
    let accounts = try await book.accounts()
    guard accounts.contains(where: { $0.attributes.value != nil }) else { exit(3) }
    // On pages of their own: what is shown must not be beside what is not.
    let shown = [UInt8](repeating: 0, count: 1 << 16).enumerated().map { Self.byte($0.offset, 1) }
    var bytes = (0..<4_096).map { Self.byte($0, 2) }
    let secret = Secret(taking: &bytes)
    signal(SIGABRT, SIG_DFL)
    withExtendedLifetime((book, shown, secret)) { abort() }
  }

  /// The bytes of a pattern; every reader computes the same.
  private static func byte(_ index: Int, _ salt: Int) -> UInt8 {
    UInt8(truncatingIfNeeded: (index * index + salt) * 2_654_435_761 >> 13)
  }

  private struct NoTransport: Transport {
    func send(
      _ request: HTTPRequest, through route: Route
    ) async throws(TransportFailure) -> HTTPReply {
      throw TransportFailure(
        GatebookError(.networkUnreachable, "There is no network.", remedy: "None."),
        delivery: .notSent)
    }
  }
}
