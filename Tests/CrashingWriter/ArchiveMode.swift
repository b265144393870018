internal import FaultyDisk
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// `archive BOOK KEY FILE [die|fill WRITE]`: archives the book on a disk that kills the process at
/// a write, or is full from that write on.
struct ArchiveMode {
  private let book: String
  private let key: String
  private let file: String
  private let fault: String?
  private let write: Int

  init(_ arguments: [String]) {
    book = arguments[1]
    key = arguments[2]
    file = arguments[3]
    fault = arguments.count > 5 ? arguments[4] : nil
    write = arguments.count > 5 ? Int(arguments[5]) ?? 0 : 0
  }

  func run() async throws(GatebookError) {
    let store = try await EventStore.open(
      at: book, key: KeyFile(path: key), program: .crashing, clock: SystemClock(),
      random: SystemRandom(), wait: .seconds(60))
    // Both files begin with it, and so do those beside them.
    let folder = String(book[..<(book.lastIndex(of: "/") ?? book.endIndex)])
    switch fault {
    case "die": FaultyDisk.arm(.die(write: write), under: folder)
    case "fill": FaultyDisk.arm(.fail(write: write, error: 28, lasting: true), under: folder)
    default: FaultyDisk.arm(.fail(write: .max, error: 28, lasting: true), under: folder)
    }
    do throws(GatebookError) {
      let archive = try await store.archive(to: file) { _, _ in }
      Output.line("archived \(archive.end)")
    } catch {
      Output.line("failed \(error.code)")
    }
    await store.close()
    Output.line("writes \(FaultyDisk.heal())")
  }
}
