/// ``FindingRule/passwordGuessing``: passwords that were refused again and again.
struct PasswordGuessing: AuditRule {
  static let kinds: Set<EventKind> = [.loginStarted, .loginFailed, .challengeFailed]
  private static let limit = Burst.Limit(count: 5, window: .seconds(600))
  // A login ends soon after it began; those that never ended are forgotten.
  private static let mostAttempts = 4096
  private static let mostTargets = 4096

  /// Whose password somebody tries.
  private enum Target: Hashable {
    /// An account of the book.
    case account(Int64)
    /// What was typed at a server, by its fingerprint.
    case name(String, server: String)
  }

  /// Whom the logins are for that began in the book's own stream.
  private var attempts: [Int64: Target] = [:]
  private var bursts: [Target: Burst] = [:]

  mutating func take(_ event: ScannedEvent, into findings: inout FindingList) {
    let data = FactScanner(event.data)
    guard event.kind != .loginStarted else { return begin(event, data) }
    guard data.text("code") == FailureCode.credentialsRefused.rawValue,
      // The other questions in a login are told by its end.
      event.kind == .loginFailed || data.text("source") == "offline",
      let target = target(event)
    else { return }
    var burst = bursts[target] ?? Burst(Self.limit)
    let over = burst.take(event)
    bursts[target] = burst
    if let over { Self.add(over, target, to: &findings) }
    if bursts.count > Self.mostTargets { forget(at: event.at, into: &findings) }
  }

  mutating func finish(into findings: inout FindingList) {
    for target in bursts.keys {
      guard let incident = bursts[target]?.end() else { continue }
      Self.add(incident, target, to: &findings)
    }
  }

  private mutating func begin(_ event: ScannedEvent, _ data: FactScanner) {
    guard event.account == 0, let session = event.session, let name = data.text("name"),
      let server = data.text("server")
    else { return }
    if attempts.count >= Self.mostAttempts { attempts = [:] }
    attempts[session] = .name(name, server: server)
  }

  private mutating func target(_ event: ScannedEvent) -> Target? {
    guard event.account == 0 else { return .account(event.account) }
    return event.session.flatMap { attempts.removeValue(forKey: $0) }
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
        "The account's password was refused \(incident.count) times in quick succession."
      case .name(let fingerprint, let server):
        "For one name at \(server) that no account had, a password was refused \(incident.count) times "
          + "in quick succession. The name is not kept; its fingerprint is "
          + "\(String(fingerprint.prefix(8)))…."
      }
    findings.add(.passwordGuessing, .alarm, title, incident)
  }
}
