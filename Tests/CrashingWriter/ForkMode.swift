internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore
internal import Glibc

/// `fork BOOK KEY`: uses an open book in a forked child, which must be refused every call.
enum ForkMode {
  static func run(book: String, key: String) async throws(GatebookError) {
    let store = try await EventStore.open(
      at: book, key: KeyFile(path: key), program: .crashing, clock: SystemClock(),
      random: SystemRandom(), wait: .seconds(10))
    let reader = try store.makeReader()
    let child = fork()
    guard child == 0 else {
      waitForEnd(of: child)
      _ = try await store.append(Append([ProposedEvent(.clockObserved)]))
      Output.line("parent wrote")
      return
    }
    Output.line("reader \(code { () throws(GatebookError) in _ = try reader.head() })")
    do throws(GatebookError) {
      _ = try await store.append(Append([ProposedEvent(.clockObserved)]))
      Output.line("store wrote")
    } catch {
      Output.line("store \(error.code)")
    }
    _exit(0)
  }

  private static func code(_ body: () throws(GatebookError) -> Void) -> String {
    do throws(GatebookError) {
      try body()
      return "read"
    } catch {
      return error.code.description
    }
  }

  // Swift hides fork, since threads do not survive it: which is what this is about.
  private static func fork() -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = dlsym(nil, "fork") else { return -1 }
    return unsafeBitCast(symbol, to: Fork.self)()
  }

  private static func waitForEnd(of child: pid_t) {
    var status: Int32 = 0
    waitpid(child, &status, 0)
  }
}
