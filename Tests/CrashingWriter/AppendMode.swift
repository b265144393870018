internal import FaultyDisk
internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore

/// `append BOOK KEY COUNT [POINT COMMITS]`: appends to the book's first account, prints each id
/// after its receipt, and dies at the point of the commit that follows so many others.
struct AppendMode {
  private let book: String
  private let key: String
  private let count: Int
  private let point: CrashPoint?
  private let commits: Int

  init(_ arguments: [String]) {
    book = arguments[1]
    key = arguments[2]
    count = Int(arguments[3]) ?? 0
    point = arguments.count > 4 ? CrashPoint(rawValue: arguments[4]) : nil
    commits = arguments.count > 5 ? Int(arguments[5]) ?? 0 : 0
  }

  func run() async throws(GatebookError) {
    let store = try await EventStore.open(
      at: book, key: KeyFile(path: key), program: .crashing, clock: SystemClock(),
      random: SystemRandom(), wait: .seconds(60))
    let accounts = try BookReader.open(at: book).accounts()
    if let point { FaultyDisk.arm(.crash(point, afterCommits: commits), under: book) }
    for _ in 0..<count {
      guard let id = EventID(bytes: SystemRandom().bytes(16)) else { continue }
      _ = try await store.append(Self.append(id, accounts.first?.account))
      FaultyDisk.reach(.beforeAnswer)
      Output.line(id.description)
    }
    await store.close()
    Output.line("closed")
  }

  /// An event and a secret that tells which event it came with.
  private static func append(_ id: EventID, _ account: AccountID?) -> Append {
    var append = Append([
      ProposedEvent(
        .cookiesChanged, id: id, account: account, data: ["id": .text(id.description)],
        personal: account == nil ? nil : ["id": .text(id.description)])
    ])
    if let account {
      append.vault = [.set(account, purpose: "crash", generation: 1, content: id.bytes)]
    }
    return append
  }
}
