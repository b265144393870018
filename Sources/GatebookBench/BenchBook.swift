internal import GatebookCrypto
internal import GatebookEvents
internal import GatebookStore
internal import GatebookSystem

/// A book of 20 accounts, each logged in once and then renewed and verified repeatedly: two of
/// three events have encrypted facts.
///
/// `tools/benchmarks/book.c` writes the same events.
struct BenchBook {
  static let accounts = 20
  let store: EventStore
  private let members: [Member]

  private struct Member {
    let account: AccountID
    let session: SessionID
  }

  /// Makes a book where none may be; its key file is `PATH.key`.
  static func make(
    at path: String, accounts: Int = accounts, clock: any BookClock = SystemClock(),
    random: any RandomSource = SystemRandom(), process: Int32 = ThisProcess.id
  ) async throws(GatebookError) -> BenchBook {
    guard !Files.exists(path) else {
      throw GatebookError(
        .configurationInvalid, "There is a file at \(path) already.",
        remedy: "Name a path where nothing is.")
    }
    let store = try await open(path, clock: clock, random: random, process: process)
    let members = (0..<accounts).compactMap { _ -> Member? in
      guard let account = AccountID(bytes: random.bytes(16)),
        let session = SessionID(bytes: random.bytes(16))
      else { return nil }
      return Member(account: account, session: session)
    }
    for member in members { _ = try await store.append(login(member)) }
    return BenchBook(store: store, members: members)
  }

  /// Who writes all books of the benchmarks.
  static let program = Program(
    name: "bench", version: "1", installation: InstallationID(high: 0, low: 0))

  static func open(
    _ path: String, clock: any BookClock = SystemClock(),
    random: any RandomSource = SystemRandom(), process: Int32 = ThisProcess.id
  ) async throws(GatebookError) -> EventStore {
    try await EventStore.open(
      at: path, key: KeyFile(path: "\(path).key"), program: program, clock: clock,
      random: random, wait: .seconds(10), process: process)
  }

  /// Appends events in batches of 1000 until there are so many.
  ///
  /// - Parameters:
  ///   - start: How many events the book has.
  ///   - end: How many it has afterwards.
  /// - Throws: A `storage` failure.
  func fill(from start: Int, to end: Int) async throws(GatebookError) {
    for first in stride(from: start, to: end, by: 1000) {
      _ = try await store.append(Append((first..<min(first + 1000, end)).map(event)))
    }
  }

  /// Makes the last account the current one.
  func switchToLast() async throws(GatebookError) {
    guard let last = members.last else { return }
    var switched = AccountSwitched()
    switched.to = last.account
    _ = try await store.append(Append([ProposedEvent(switched, account: last.account)]))
  }

  private static func login(_ member: Member) -> Append {
    var append = Append([
      ProposedEvent(
        .accountAdded, account: member.account, session: member.session,
        data: ["method": "http", "server": "https://bench.example"],
        personal: ["tenant": "", "user": "bench", "userID": "bench"]),
      ProposedEvent(
        .loginSucceeded, account: member.account, session: member.session,
        data: [
          "boot": 0, "evidence": "check", "generation": 1, "method": "http",
          "server": "https://bench.example",
        ]),
    ])
    append.newAccounts = [Append.NewAccount(id: member.account, lookups: [])]
    return append
  }

  /// The event with a number: a renewal begun, renewed with something personal, verified, in turn.
  func event(_ number: Int) -> ProposedEvent {
    let member = members[number % members.count]
    switch number % 3 {
    case 0:
      return ProposedEvent(
        .refreshStarted, account: member.account, session: member.session,
        data: [
          "attempt": 1, "deadline": .integer(1_800_000_000_000_000 + Int64(number)),
          "generation": .integer(Int64(number)), "trigger": "early",
        ])
    case 1:
      return ProposedEvent(
        .refreshSucceeded, account: member.account, session: member.session,
        data: ["boot": .integer(Int64(number)), "generation": .integer(Int64(number))],
        personal: ["greeting": "Welcome Ada Example!", "lastLoginIP": "192.0.2.17"])
    default:
      return ProposedEvent(
        .sessionVerified, account: member.account, session: member.session,
        personal: ["by": "bench"])
    }
  }
}
