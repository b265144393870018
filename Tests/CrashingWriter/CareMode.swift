internal import FaultyDisk
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// `erase BOOK KEY POINT COMMITS` and `backup BOOK KEY POINT COMMITS FILE`: erases the book's first
/// account, or writes a backup of the book, and dies at that point of the commit that follows so
/// many others.
///
/// Files whose names begin with the book's name count too.
struct CareMode {
  private let arguments: [String]

  init(_ arguments: [String]) {
    self.arguments = arguments
  }

  func run() async throws(GatebookError) {
    let store = try await EventStore.open(
      at: arguments[1], key: KeyFile(path: arguments[2]), program: .crashing, clock: SystemClock(),
      random: SystemRandom(), wait: .seconds(60))
    let account = try BookReader.open(at: arguments[1]).accounts().first?.account
    if let point = CrashPoint(rawValue: arguments[3]) {
      FaultyDisk.arm(
        .crash(point, afterCommits: Int(arguments[4]) ?? 0), under: arguments[1])
    }
    if arguments[0] == "erase", let account {
      var append = Append([ProposedEvent(.accountErased, account: account)])
      append.vault = [.erase(account)]
      _ = try await store.append(append)
      FaultyDisk.reach(.beforeAnswer)
      Output.line("erased")
      Output.line("wiped \(try await store.wipe())")
    } else {
      _ = try await store.backUp(
        to: arguments[5], replacing: true, random: SystemRandom(), progress: { _, _ in })
      FaultyDisk.reach(.beforeAnswer)
      Output.line("copied")
    }
    await store.close()
    Output.line("closed")
  }
}
