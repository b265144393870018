internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

/// Records what one run of a proxy does, beside the proxy's thread: its start, what it refused, who
/// used it, and its end.
///
/// What the book cannot take is kept, and recorded with what comes next.
final class ProxyJournal: Sendable {
  private struct State {
    var refusals = RefusalJournal()
    /// What the book could not take yet.
    var kept = ProxyUse()
    /// Where the start is recorded.
    var start: Position?
    /// The records under way, each with its number.
    var tasks: [Int: Task<Void, Never>] = [:]
    var next = 0
  }

  private let book: SessionBook
  private let account: AccountID
  private let clock: any BookClock
  private let state = Locked(State())

  init(of account: AccountID, in book: SessionBook, _ clock: any BookClock) {
    self.account = account
    self.book = book
    self.clock = clock
  }

  /// Lets a proxy tell what it refuses and who uses it.
  func listen(to settings: inout ProxySettings) {
    settings.refused = { [self] in refused($0, $1) }
    settings.used = { [self] use in
      record { [self] in _ = await recordUse(use, isEnd: false) }
    }
  }

  /// Records the start.
  ///
  /// - Throws: Storage failures: the proxy serves all the same.
  func started(
    at place: ProxyPlace, _ rules: ProxyRules, rate: Int?
  ) async throws(GatebookError) {
    var started = ProxyStarted(server: rules.origin.description)
    started.port = place.port.map { Int64($0) }
    started.isReadOnly = rules.isReadOnly
    started.isLimited = !rules.paths.isEmpty
    started.rate = rate.map { Int64($0) }
    let personal = ProxyStarted.Personal(
      paths: rules.paths.isEmpty ? nil : rules.paths, socket: place.path)
    let position = try await book.recordProxy(started, personal, of: account)
    state.withLock { $0.start = position }
  }

  /// Records the end, after everything that came before.
  ///
  /// - Parameter rest: What the proxy has not handed out while it served.
  /// - Returns: Why the book cannot take it; `nil` where it is recorded.
  func ended(_ rest: ProxyUse) async -> GatebookError? {
    for task in state.withLock({ $0.tasks.values }) { await task.value }
    return await recordUse(rest, isEnd: true)
  }

  private func refused(_ refusal: ProxyRefusal, _ program: AskingProgram?) {
    let now = clock.now().boot
    guard state.withLock({ $0.refusals.takes(refusal, of: program, at: now) }) else { return }
    var refused = ProxyRefused(reason: refusal.rawValue)
    refused.isForeign = program?.isOwn == false
    refused.process = program?.process.map { Int64($0) }
    refused.program = program?.name
    record { [self, refused] in await book.recordRefusal(refused, of: account) }
  }

  private func recordUse(_ use: ProxyUse, isEnd: Bool) async -> GatebookError? {
    let (all, start) = state.withLock { state in
      state.kept.add(use)
      defer { state.kept = ProxyUse() }
      return (state.kept, state.start)
    }
    do throws(GatebookError) {
      try await book.recordUse(all, since: start, isEnd: isEnd, of: account)
      return nil
    } catch {
      state.withLock { $0.kept.add(all) }
      return error
    }
  }

  private func record(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      let number = state.next
      state.next += 1
      state.tasks[number] = Task { [self] in
        await work()
        self.state.withLock { $0.tasks[number] = nil }
      }
    }
  }
}
