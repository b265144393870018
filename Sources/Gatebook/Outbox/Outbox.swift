/// What servers are still to be told: logouts, and the revocation of what nobody will use.
final class Outbox {
  let ledger: Ledger
  let challenges: Challenges
  let grants: Grants
  /// Starts rounds of deliveries.
  private let startRounds: @Sendable () -> Task<Void, Never>
  /// Delivers what waits for servers, while something does.
  private(set) var courier: Task<Void, Never>?
  /// Whether something came to wait since the last round began.
  var hasNewDeliveries = false
  /// Whether somebody keeps the sessions renewed, and the book open: see
  /// ``SessionBook/keepSessionsRenewed()``.
  var isKept = false

  init(
    _ ledger: Ledger, _ challenges: Challenges, _ grants: Grants,
    startRounds: @escaping @Sendable () -> Task<Void, Never>
  ) {
    self.ledger = ledger
    self.challenges = challenges
    self.grants = grants
    self.startRounds = startRounds
  }

  /// Tells servers what they could not be told before.
  ///
  /// These are sessions that were logged out while their servers were not reached, and unused
  /// tokens. No resolver is asked. A book that stays open does this automatically while something
  /// is due.
  ///
  /// - Parameters:
  ///   - occasion: Says whether items are tried before their time; what a server demanded to be
  ///     left alone counts all the same.
  ///   - account: Only this account's; `nil` for all.
  ///   - limit: How long one server may take; `nil` for as long as a request may.
  /// - Returns: What became of them.
  /// - Throws: Storage failures.
  func deliverOutbox(
    on occasion: DeliveryOccasion = .time, of account: AccountID? = nil, limit: Duration? = nil
  ) async throws(GatebookError) -> SyncReport {
    var accounts: [AccountID] = []
    for context in try ledger.reader.accounts() where account == nil || context.account == account {
      guard try ledger.reader.state(of: context.account)?.outbox.isEmpty == false else { continue }
      accounts.append(context.account)
    }
    // Together: a server that is silent must not keep the others from hearing. Each holds files
    // open.
    let results = await together(accounts, most: Self.toldAtOnce) {
      (account) async -> Result<SyncReport, GatebookError> in
      await Result { () async throws(GatebookError) in
        try await self.deliver(outboxOf: account, on: occasion, limit)
      }
    }
    var all = SyncReport()
    for result in results { all.add(try result.get()) }
    return all
  }

  /// How many accounts' messages are delivered at once.
  static let toldAtOnce = 16

  private func deliver(
    outboxOf account: AccountID, on occasion: DeliveryOccasion, _ limit: Duration?
  ) async throws(GatebookError) -> SyncReport {
    var deliveries = SyncReport()
    let outbox = try ledger.reader.state(of: account)?.outbox ?? [:]
    for (key, delivery) in outbox.sorted(by: { $0.value.position < $1.value.position }) {
      let isDue = delivery.isDue(at: ledger.clock.now().wall, on: occasion)
      guard isDue, !Task.isCancelled else {
        deliveries.waiting += 1
        continue
      }
      do throws(GatebookError) {
        let fate = try await deliver(key, of: account, limit)
        deliveries[keyPath: fate] += 1
      } catch  where error.isFinal {
        // Its account was erased meanwhile, with what was to be said.
        deliveries.givenUp += 1
      }
    }
    return deliveries
  }

  /// What has become of an item.
  private typealias Fate = WritableKeyPath<SyncReport, Int>

  /// Delivers what is due, again and again while something waits; for books that stay open.
  func keepDelivering() {
    guard ledger.renewalPolicy == .inBackground || isKept else { return }
    // A round under way may have passed the account of what is new.
    hasNewDeliveries = true
    guard courier == nil else { return }
    courier = startRounds()
  }

  /// Delivers what is due.
  ///
  /// - Returns: Whether another round is needed; else the courier is dismissed.
  func deliverRound() async -> Bool {
    hasNewDeliveries = false
    do throws(GatebookError) {
      let left = try await deliverOutbox()
      if left.waiting + left.underWay > 0 || hasNewDeliveries { return true }
    } catch  where error.code == .storageBusy {
      return true
    } catch {
      // Who cannot write down that a server was asked must not ask it every second.
    }
    courier = nil
    return false
  }

  private func deliver(
    _ key: String, of account: AccountID, _ limit: Duration?
  ) async throws(GatebookError) -> Fate {
    // Over all processes one tells the account's servers.
    guard let lock = try ledger.reader.takeLock(ofOutbox: account) else { return \.underWay }
    defer { withExtendedLifetime(lock) {} }
    // Since the round began somebody else may have done it.
    guard let delivery = try ledger.reader.state(of: account)?.outbox[key] else {
      return \.delivered
    }
    let queued = try ledger.reader.event(at: delivery.position)
    // A login that may have sent what was saved is to end first: a session may come to live by it.
    var login: AccountLock?
    if queued?.facts(of: RevocationQueued.self)?.reason == "forgotten" {
      login = try ledger.reader.takeLock(of: account)
      guard login != nil else { return \.underWay }
    }
    defer { withExtendedLifetime(login) {} }
    let secret = try ledger.reader.secret(of: account, purpose: OutboxItem.purpose(key))
    let kept = secret.flatMap { OutboxItem($0) }
    // What a newer version has put there, that version knows how to say.
    if secret != nil, kept == nil, !isOld(delivery) { return \.waiting }
    // Without its secrets nothing can be said, and nothing is to be where a session lives by them
    // now.
    guard let queued, let session = queued.session, var item = kept,
      let proof = try spared(item.stored.proof, since: queued, of: account)
    else {
      return try await record(nil, key, delivery, account, queued?.session)
    }
    item.stored.proof = proof
    let asker = Conversation.Asker(
      account: account, session: session, cause: .recorded(delivery.position),
      keepsDecisions: false)
    let ending =
      if let limit {
        await DeliveryEnding.inTime(limit) { await self.send(item, asker) }
      } else { await send(item, asker) }
    if limit == nil, Task.isCancelled { return \.waiting }
    return try await record(ending, key, delivery, account, session)
  }

  /// Sends what ends a session at its server.
  func send(_ item: OutboxItem, _ asker: Conversation.Asker) async -> DeliveryEnding {
    let proof = item.stored.proof
    var conversation = Conversation(
      challenges.host, asker, held: challenges.heldCredentials(of: item.stored),
      route: Route(
        pool: (asker.account?.description ?? "") + "-outbox", trust: item.stored.trust),
      allowsCleartext: proof.origin.isCleartext)
    return await conversation.end(proof, item.jar)
  }

  /// Records how a try ended, `nil` where nothing could be said; the item stays where it is tried
  /// again.
  private func record(
    _ ending: DeliveryEnding?, _ key: String, _ delivery: AccountState.Delivery,
    _ account: AccountID, _ session: SessionID?
  ) async throws(GatebookError) -> Fate {
    var fate: Fate = \.givenUp
    let told: any EventFacts
    if case .done(let status)? = ending {
      fate = \.delivered
      var succeeded = RevocationSucceeded(status: Int64(status), tries: delivery.tries + 1)
      succeeded.outbox = key
      told = succeeded
    } else {
      var failed = RevocationFailed()
      failed.failure = ending?.failure ?? Failure()
      failed.outbox = key
      failed.tries = delivery.tries + 1
      if case .failed(_, _, let demanded)? = ending, ending?.isRefusal == false, !isOld(delivery) {
        fate = \.waiting
        failed.wait = wait(after: delivery.tries, demanded)
      } else {
        failed.isHalted = true
      }
      told = failed
    }
    let event = ProposedEvent(
      told, account: account, session: session, cause: .recorded(delivery.position))
    try await ledger.commit(
      Append(
        [event],
        vault: fate == \.waiting ? [] : [.remove(account, purpose: OutboxItem.purpose(key))]))
    return fate
  }

  /// Whether it has waited for so long that its server need not hear of it any more.
  private func isOld(_ delivery: AccountState.Delivery) -> Bool {
    ledger.clock.now().wall - delivery.since > Self.patienceOfOutbox
  }

  /// How long an item waits after so many tries, and how much of that its server demanded.
  func wait(after tries: Int64, _ demanded: Duration?) -> Wait {
    let demanded = demanded ?? .zero
    let usual = BackOff.wait(after: tries, random: ledger.random.bytes(1)[0], demanded: demanded)
    // After the first minutes once an hour is enough: it may be a month.
    let wait = tries < 10 ? usual : max(usual, .seconds(3600))
    var told = Wait()
    told.retryAfter = wait
    told.demanded = demanded > .zero ? demanded : nil
    return told
  }

  /// When the first of what waits is tried whose server demanded to be left alone until then.
  ///
  /// - Parameter account: Only this account's; `nil` for all.
  /// - Returns: `nil` where no server demands that now.
  /// - Throws: Storage failures.
  func demandedUntil(of account: AccountID?) throws(GatebookError) -> Timestamp? {
    let now = ledger.clock.now().wall
    var first: Timestamp?
    for context in try ledger.reader.accounts() where account == nil || context.account == account {
      for delivery in (try ledger.reader.state(of: context.account)?.outbox ?? [:]).values
      where !delivery.isDue(at: now, on: .asked) {
        first = min(first ?? delivery.demandedUntil, delivery.demandedUntil)
      }
    }
    return first
  }

  /// After a month the server has ended the session anyway.
  private static let patienceOfOutbox = Duration.seconds(30 * 86_400)

  /// Ends a session, and has its server told of what nobody will use now.
  ///
  /// - Parameters:
  ///   - context: The account.
  ///   - reason: Why.
  ///   - cause: The event that led to it; `nil`: the account's last.
  ///   - error: The failure that decided.
  ///   - left: What is to be ended at the server; `nil` for nothing.
  /// - Returns: As ``Ledger/end(_:reason:cause:error:leaving:)``.
  /// - Throws: Storage failures.
  func end(
    _ context: SessionContext, reason: EndReason, cause: Position?, error: GatebookError? = nil,
    leaving left: OutboxItem?
  ) async throws(GatebookError) -> Bool {
    let isEnded = try await ledger.end(
      context, reason: reason, cause: cause, error: error, leaving: left)
    if isEnded, left != nil { keepDelivering() }
    return isEnded
  }
}
