internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore
internal import Glibc

/// `read BOOK`: reads a book as somebody who may not write it, and says what came of it.
///
/// Permissions do not hold root back, so root becomes nobody first.
enum ReadMode {
  static func run(_ book: String) async throws(GatebookError) {
    if getuid() == 0 {
      guard setgid(65_534) == 0, setuid(65_534) == 0 else { exit(3) }
    }
    let reader = try BookReader.open(at: book)
    let events = try reader.events(EventFilter())
    let verdict = try await BookVerifier(path: book).verify()
    Output.line(
      "events \(events.count) verified \(verdict.ok) accounts \(try reader.accounts().count)")
    do throws(GatebookError) {
      _ = try await EventStore.open(
        at: book, key: KeyFile(path: "/nowhere"), program: .crashing, clock: SystemClock(),
        random: SystemRandom(), wait: .zero)
      Output.line("writable")
    } catch {
      Output.line("writing \(error.code)")
    }
  }
}
