internal import Gatebook
internal import Glibc

/// `CrowdedBook BOOK KEY BASE SECONDS SEED`: 20 people of the server at BASE share a book that is
/// open twice, and 8 threads log in, switch, renew, send and log out in it at random.
///
/// Prints a line for each thing that must not happen, and at last what was done; on standard error
/// how far it is. Exits: 0 nothing
/// that must not happen, 1 something, 2 usage.
@main
struct Main {
  private static let threads = 8

  static func main() async {
    let words = CommandLine.arguments
    guard words.count == 6, let seconds = Int64(words[4]), let seed = UInt64(words[5]) else {
      print("usage: CrowdedBook BOOK KEY BASE SECONDS SEED")
      exit(2)
    }
    let crowd = Crowd(site: Site(base: words[3]))
    do throws(GatebookError) {
      var books: [SessionBook] = []
      for _ in 1...2 { books.append(try await open(words[1], words[2])) }
      try await crowd.arrive(in: books)
      tell("all are in")
      let end = ContinuousClock.now + .seconds(seconds)
      var running: [CallingThread] = []
      for number in 0..<threads {
        let member = Member(number: number, book: books[number % books.count], crowd: crowd)
        let seed = seed &+ UInt64(number) << 32
        running.append(
          try CallingThread(until: end) { count in
            await member.act(count, Chance(seed: seed &+ UInt64(count)))
          })
      }
      // This is the main thread: it is nobody else's.
      for thread in running { thread.join() }
      tell("all have stopped")
      try await crowd.settle(in: books)
      for book in books { await book.close() }
    } catch {
      crowd.blame("\(error)")
    }
    print(crowd.summary)
    exit(crowd.isBlameless ? 0 : 1)
  }

  /// Says how far it is: who waits for the end must not wait in silence.
  private static func tell(_ text: String) {
    let bytes = Array((text + "\n").utf8)
    _ = write(2, bytes, bytes.count)
  }

  private static func open(_ path: String, _ key: String) async throws(GatebookError) -> SessionBook
  {
    try await SessionBook.open(
      at: path, key: KeyFile(path: key),
      program: Program(
        name: "crowded", version: "1", installation: InstallationID(high: 1, low: 2)),
      transport: Site.transport, wait: .seconds(60))
  }
}
