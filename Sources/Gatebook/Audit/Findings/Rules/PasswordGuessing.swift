/// ``FindingRule/passwordGuessing``: passwords that were refused again and again.
struct PasswordGuessing: AuditRule {
  static let kinds: Set<EventKind> = [
    .loginStarted, .loginFailed, .challengeAnswered, .challengeFailed, .refreshFailed,
  ]
  private static let limit = Burst.Limit(count: 5, window: .seconds(600))
  // A login ends soon after it began; those that never ended are forgotten.
  private static let mostAttempts = 4096
  private static let mostTargets = 4096

  /// Whose password somebody tries.
  private enum Target: Hashable {
    /// An account of the book.
    case account(Int64)
    /// An account of the book, without network.
    case offline(Int64)
    /// What was typed at a server, by its fingerprint.
    case name(String, server: String)
  }

  /// Where the logins are made that name no account, or another one than they must be of, and for
  /// whom once that is known.
  private var attempts: [Int64: (server: String, name: String?)] = [:]
  /// The logins whose refusal a security check has told: their end tells the same once more.
  private var told: Set<Int64> = []
  private var bursts: [Target: Burst] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    let data = FactScanner(event.data)
    switch event.kind {
    case .loginStarted: return begin(event, data)
    case .challengeAnswered: return learnName(event, data)
    default: break
    }
    let isRefused = data.text("code") == FailureCode.credentialsRefused.rawValue
    guard let target = target(event, data), isRefused, !isTold(event, data) else { return }
    if let over = bursts[target, default: Burst(Self.limit)].take(event) {
      Self.add(over, target, to: &findings)
    }
    if bursts.count > Self.mostTargets { forget(at: event.at, into: &findings) }
  }

  mutating func finish(into findings: inout FindingList) {
    for target in bursts.keys {
      if let incident = bursts[target]?.end() { Self.add(incident, target, to: &findings) }
    }
  }

  private mutating func begin(_ event: ScannedEvent, _ data: FactScanner) {
    let name = data.text("name")
    guard event.account == 0 || name != nil, let session = event.session,
      let server = data.text("server")
    else { return }
    if attempts.count >= Self.mostAttempts { attempts = [:] }
    attempts[session] = (server, name)
  }

  /// Who is asked by a security check types the name there.
  private mutating func learnName(_ event: ScannedEvent, _ data: FactScanner) {
    guard event.account == 0, let session = event.session, let name = data.text("name") else {
      return
    }
    attempts[session]?.name = name
  }

  /// Whether it is the end of a login whose refusal was counted already.
  private mutating func isTold(_ event: ScannedEvent, _ data: FactScanner) -> Bool {
    guard let session = event.session else { return false }
    switch event.kind {
    case .loginFailed: return told.remove(session) != nil
    case .challengeFailed where data.text("source") != "offline":
      if told.count >= Self.mostAttempts { told = [] }
      told.insert(session)
      return false
    default: return false
    }
  }

  private mutating func target(_ event: ScannedEvent, _ data: FactScanner) -> Target? {
    if let session = event.session, let attempt = attempts[session], let name = attempt.name {
      if event.kind == .loginFailed { attempts[session] = nil }
      return .name(name, server: attempt.server)
    }
    guard event.account != 0 else { return nil }
    return data.text("source") == "offline" ? .offline(event.account) : .account(event.account)
  }

  private mutating func forget(at moment: Timestamp, into findings: inout FindingList) {
    for target in Array(bursts.keys) where bursts[target]?.isOver(at: moment) == true {
      if let incident = bursts[target]?.end() { Self.add(incident, target, to: &findings) }
      bursts[target] = nil
    }
  }

  private static func add(
    _ incident: Incident, _ target: Target, to findings: inout FindingList
  ) {
    let title: Sentence =
      switch target {
      case .account:
        "The server rejected the account's password \(incident.count) times in quick succession."
      case .offline:
        "Without network, a wrong password was entered \(incident.count) times in quick succession."
      case .name(let fingerprint, let server):
        "For one user name, \(server) rejected a password \(incident.count) times in quick succession. "
          + "The name is not recorded; its fingerprint is \(String(fingerprint.prefix(8)))…."
      }
    findings.add(.passwordGuessing, .alarm, title, incident)
  }
}
