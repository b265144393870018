internal import Gatebook
internal import GatebookCurl
internal import GatebookProxy
internal import GatebookSystem

/// A process that keeps a book open, and does for other processes what they would do with it.
@MainActor final class Agent {
  /// What of the book is open.
  enum State {
    case open(Opened)
    /// The key is not in memory; why, if not because a person wanted that.
    case locked(GatebookError?)
  }

  /// An open book.
  struct Opened {
    let lent: LentBook.Open
    /// The file that was opened: another one can come to its place.
    let file: String?
    /// Keeps its sessions renewed.
    let renewing: Task<Void, Never>
  }

  /// The call of `gatebook agent`.
  let call: Call
  let confirmation: Confirmation?
  let started: Timestamp
  private(set) var state = State.locked(nil)
  /// When the state began.
  private(set) var since: Timestamp
  /// The first event that may be the agent's.
  private(set) var firstPosition = Position.start
  /// The file that was opened last.
  private var lastFile: String?
  var uses = AgentUses()
  var forwards = AgentForwards()
  /// What serves it; `nil` before it serves.
  var server: ProxyServer?
  /// Closed books that had not taken yet what a server granted.
  private var unwritten: [SessionBook] = []
  /// How many calls and requests use the book now.
  private var underWay = 0
  /// The change of the state that is under way: lock, unlock and another book wait for each other.
  private var turn: Task<Void, Never>?

  init(_ call: Call, _ confirmation: Confirmation?) {
    self.call = call
    self.confirmation = confirmation
    started = call.surroundings.clock.now().wall
    since = started
  }

  var clock: any BookClock { call.surroundings.clock }

  // MARK: Open and locked

  /// Opens the book.
  ///
  /// - Parameter key: Where its key is.
  /// - Throws: A `storage` or `key` failure; the state is then as before.
  func open(_ key: any KeySource) async throws(GatebookError) {
    let book = try await SessionBook.open(
      at: call.globals.book, key: key, program: call.program,
      transport: CommandTransport.curl(call), suffixes: PublicSuffixList(), wait: call.globals.wait,
      renewalPolicy: .beforeUse)
    let reader: BookReader
    do throws(GatebookError) {
      reader = try await book.makeReader()
    } catch {
      await book.close()
      throw error
    }
    let file = AgentCall.file(of: call.globals.book)
    if firstPosition == .start || file != lastFile {
      firstPosition = (try? Position(rawValue: reader.head().size)) ?? .start
    }
    lastFile = file
    set(
      .open(
        Opened(
          lent: LentBook.Open(book: book, reader: reader), file: file,
          renewing: Task { await keepRenewed(book, in: file) })))
  }

  /// Keeps the sessions of a book renewed, as long as it is at its path: what is renewed in a file
  /// that nobody else finds would be lost to all others.
  private func keepRenewed(_ book: SessionBook, in file: String?) async {
    let keeping = Task { await book.keepSessionsRenewed() }
    while !Task.isCancelled, AgentCall.file(of: call.globals.book) == file {
      await clock.pause(for: .seconds(1))
      await recordForwards(in: book, at: clock.now().boot)
    }
    keeping.cancel()
  }

  /// Begins locked: the key cannot be had without a person.
  func stayLocked(_ reason: GatebookError) { set(.locked(reason)) }

  private func set(_ state: State) {
    self.state = state
    since = clock.now().wall
  }

  /// Closes the book and forgets its key.
  ///
  /// Nothing new is begun. Calls under way end first, but nothing waits for long.
  ///
  /// - Returns: Whether no person had locked it before.
  func lock() async -> Bool {
    await inTurn { await lockNow() }
  }

  private func lockNow() async -> Bool {
    guard case .open(let opened) = state else {
      guard case .locked(_?) = state else { return false }
      set(.locked(nil))
      return true
    }
    await opened.lent.book.recordAgent(AgentLocked())
    await close(opened, .locked(nil))
    return true
  }

  /// Opens the book again.
  ///
  /// - Parameter passphrase: What a person has typed; `nil` to ask the key's own place.
  /// - Returns: Whether it was locked.
  /// - Throws: A `storage` or `key` failure.
  func unlock(_ passphrase: Secret?) async throws(GatebookError) -> Bool {
    try await inTurn { () async throws(GatebookError) -> Bool in
      guard case .locked = state else { return false }
      try await reopen(passphrase)
      return true
    }
  }

  private func reopen(_ passphrase: Secret?) async throws(GatebookError) {
    try await open(try call.agentKey(passphrase))
    if case .open(let opened) = state { await opened.lent.book.recordAgent(AgentUnlocked()) }
  }

  /// Does one change of the state after the other.
  private func inTurn<Value, Failure: Error>(
    _ change: @MainActor () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    while let turn { await turn.value }
    let (stream, end) = AsyncStream.makeStream(of: Void.self)
    turn = Task { for await _ in stream {} }
    defer {
      turn = nil
      end.finish()
    }
    return try await change()
  }

  /// Ends: what is open is closed, and what servers have granted is written.
  func end() async {
    while let turn { await turn.value }
    if case .open(let opened) = state {
      set(.locked(nil))
      opened.renewing.cancel()
      await recordForwards(in: opened.lent.book)
      await call.close(opened.lent.book, delivers: true)
    }
    for book in unwritten { await call.waitUntilWritten(book) }
    unwritten = []
  }

  private func close(_ opened: Opened, _ next: State) async {
    set(next)
    call.passphraseAsked.forget()
    confirmation?.forget()
    opened.renewing.cancel()
    let limit = clock.now().boot + Self.patience
    while underWay > 0, !Task.isCancelled, clock.now().boot < limit {
      await clock.pause(for: .milliseconds(20))
    }
    let book = opened.lent.book
    await recordForwards(in: book)
    await book.close()
    // A book that has taken everything is let go, and its key with it.
    var rest: [SessionBook] = []
    for book in unwritten + [book] where await book.hasUnwrittenGrants { rest.append(book) }
    unwritten = rest
  }

  /// How long a lock waits for calls under way.
  private static let patience = Duration.seconds(5)

  /// Records something of the agent, if the book is open.
  func record(_ facts: some EventFacts) async {
    guard case .open(let opened) = state else { return }
    await opened.lent.book.recordAgent(facts)
  }

  // MARK: Uses

  /// The open book; if another one has come to the path, that one.
  func current() async throws(GatebookError) -> LentBook.Open {
    while let turn {
      // A person has locked it: that needs no wait for the calls under way.
      if case .locked(nil) = state { break }
      await turn.value
    }
    switch state {
    case .open(let opened):
      guard isReplaced(opened) else { return opened.lent }
      try await replace()
      return try await current()
    case .locked(let reason): throw Self.locked(reason)
    }
  }

  private func isReplaced(_ opened: Opened) -> Bool {
    guard let file = AgentCall.file(of: call.globals.book) else { return false }
    return file != opened.file
  }

  /// Opens the book that has come to the path.
  private func replace() async throws(GatebookError) {
    try await inTurn { () async throws(GatebookError) in
      // The change before may have done it.
      guard case .open(let opened) = state, isReplaced(opened) else { return }
      await close(opened, .locked(Self.replaced))
      // What that book could not take is nothing of the other one's.
      forwards = AgentForwards()
      try await reopen(nil)
    }
  }

  /// Does something with the book for a program, if that is allowed.
  func use<Value>(
    by program: CallingProgram?, isRequest: Bool,
    _ body: @MainActor (Result<LentBook.Open, GatebookError>) async throws(GatebookError) -> Value
  ) async throws(GatebookError) -> Value {
    let open: Result<LentBook.Open, GatebookError>
    do throws(GatebookError) {
      open = .success(try await allowed(program))
    } catch {
      open = .failure(error)
    }
    uses.count(program, isRequest: isRequest)
    if case .failure = open { uses.refuse() }
    underWay += 1
    defer { underWay -= 1 }
    return try await body(open)
  }

  private func allowed(_ program: CallingProgram?) async throws(GatebookError) -> LentBook.Open {
    let open = try await current()
    guard let confirmation else { return open }
    guard await confirmation.allows(program, in: call.globals.book) else {
      let asking = program.map { AskingProgram(process: $0.process, name: $0.name) }
      await refuse(asking, "confirm", in: open.book)
      throw Self.refused(program)
    }
    // It may have been locked while a person thought.
    return try await current()
  }

  /// By reason: other users, who can refuse themselves as often as they want, hide nobody else.
  private var journals: [String: RefusalJournal] = [:]

  /// Hears that another user's process has asked.
  func refuse(_ peer: AskingProgram?) async {
    guard case .open(let opened) = state else { return }
    await refuse(peer, "peer", in: opened.lent.book)
  }

  private func refuse(
    _ program: AskingProgram?, _ reason: String, in book: SessionBook
  ) async {
    let now = clock.now().boot
    guard journals[reason, default: RefusalJournal()].takes(.peer, of: program, at: now) else {
      return
    }
    var refused = AgentRefused(reason: reason)
    refused.process = (program?.process).map { Int64($0) }
    refused.program = program?.name
    await book.recordAgentRefusal(refused)
  }

  private static let replaced = GatebookError(
    .keyMissing, "Another book is at the path of the agent's book.", kept: "Nothing was changed.",
    remedy: "Run `gatebook agent unlock`.")

  static func locked(_ reason: GatebookError?) -> GatebookError {
    GatebookError(
      .keyMissing,
      reason.map { "The agent is locked: \($0.message)" } ?? "The agent is locked.",
      kept: "Nothing was changed.", remedy: "Run `gatebook agent unlock`.")
  }

  private static func refused(_ program: CallingProgram?) -> GatebookError {
    GatebookError(
      .agentRefused,
      "Nobody has allowed \(program.map { Printable.text($0.path) } ?? "this program") to use the agent.",
      kept: "Nothing was changed.", remedy: "Try again, and answer the agent's question with yes.")
  }
}

extension Call {
  /// Where the agent finds the key without a question, or with a passphrase that was typed
  /// elsewhere.
  func agentKey(_ passphrase: Secret?) throws(GatebookError) -> any KeySource {
    do {
      if let passphrase {
        let typed = Passphrase { passphrase }
        guard globals.key == .automatic else { return typed }
        return AutomaticKey(folder: try keyFolder(), passphrase: typed, keyring: keyring)
      }
      if let key = try keySourceUnasked() { return key }
    } catch {
      throw GatebookError(.keyMissing, error.message, remedy: error.remedy)
    }
    throw GatebookError(
      .keyMissing, "The book's key comes from a passphrase.", kept: "Nothing was changed.",
      remedy: "Run `gatebook agent unlock`, which asks for it.")
  }
}
