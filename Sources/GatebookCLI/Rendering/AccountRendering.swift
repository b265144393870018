internal import Gatebook

/// An account as `accounts`, `whoami`, `show`, `login`, `switch` and `restore` print it.
struct AccountRendering {
  private let context: SessionContext
  private let scopes: [String]?
  private let login: String?

  init(_ context: SessionContext, scopes: [String]? = nil, login: String? = nil) {
    self.context = context
    self.scopes = scopes
    self.login = login
  }

  /// The account's label, else the beginning of its id.
  static func name(_ context: SessionContext) -> String {
    context.label?.value ?? String(context.account.description.prefix(8))
  }

  /// What names the account on a command line: its label, else its whole id.
  static func selector(_ context: SessionContext) -> String {
    // What is not printed as it is cannot be typed either.
    context.label?.value.flatMap { Printable.text($0) == $0 ? $0 : nil }
      ?? context.account.description
  }

  /// The option that names the account in a command that people may run unchanged.
  static func option(_ context: SessionContext) -> String {
    let name = name(context)
    // What is not printed as it is cannot be pasted either.
    guard Printable.text(name) == name else {
      return "--account \(context.account.description.prefix(8))"
    }
    return "--account\(name.hasPrefix("-") ? "=" : " ")\(ShellText.word(name))"
  }

  /// The documented object.
  ///
  /// - Parameters:
  ///   - isFull: Whether the user's attributes belong to it.
  ///   - asOf: Which state of the past it is; `nil` for now.
  /// - Returns: One JSON object.
  func json(isFull: Bool, asOf: AsOf? = nil) -> JSON {
    .present([
      "id": .text(context.account.description),
      "label": context.label?.json(JSON.text),
      "method": .text(context.method),
      "server": .text(context.server),
      "client": context.client.map(JSON.text),
      "user": context.loginName.json(JSON.text),
      "current": .bool(context.isCurrent),
      "state": .text(context.state.name),
      "reason": context.state.reason.map { .text($0.rawValue) },
      "since": .time(context.since),
      "lastVerified": context.lastVerified.map(JSON.time),
      "expiresAt": context.expiresAt.map(JSON.time),
      "renewalEnded": context.renewalEnd.map { .text($0.rawValue) },
      "failedRenewals": context.failedRenewals == 0 ? nil : .integer(context.failedRenewals),
      "nextRenewal": context.nextRenewal.map(JSON.time),
      "pastLimit": context.isPastOfflineLimit ? .bool(true) : nil,
      "position": .integer(context.position.rawValue),
      "recorded": context.isRecorded ? nil : .bool(false),
      "scopes": scopes.map { .list($0.map(JSON.text)) },
      "login": login.map(JSON.text),
      "attributes": isFull ? context.attributes.json { JSON($0.facts) } : nil,
      "asOf": asOf?.json,
    ])
  }

  /// A table of accounts; where one is offline, with when its server last confirmed each session.
  ///
  /// What tells two accounts apart is never cut: times make room for it.
  static func table(_ contexts: [SessionContext], _ times: TimeText) -> TextTable {
    let hasOffline = contexts.contains { if case .offline = $0.state { true } else { false } }
    var table = TextTable(
      [
        .whole(""), .whole("id"), TableColumn("label", .wrapped(atLeast: 12)),
        TableColumn("user", .wrapped(atLeast: 20)), TableColumn("server", .wrapped(atLeast: 22)),
        TableColumn("method", .cut(atLeast: 14)), TableColumn("state", .wrapped(atLeast: 13)),
        .whole("since"),
      ] + (hasOffline ? [.whole("last verified")] : []),
      givesUp: ["method", "since", "last verified", "state", "user", "server", "label"])
    for context in contexts {
      let verified = hasOffline ? [context.lastVerified.map(times.text) ?? ""] : []
      table.add(
        [
          TextTable.Cell(context.isCurrent ? "*" : "", .strong),
          TextTable.Cell(String(context.account.description.prefix(8))),
          TextTable.Cell(context.label?.text ?? ""), TextTable.Cell(context.loginName.text),
          TextTable.Cell(ServerName.text(context.server)), TextTable.Cell(context.method),
          TextTable.Cell(
            context.stateText + (times.isRenewalDue(of: context) ? ", renewal due" : ""),
            context.state.paint),
          TextTable.Cell(times.text(context.since)),
        ] + verified.map { TextTable.Cell($0) })
    }
    return table
  }

  /// Who it is and how it is: `alice at id.example: active, valid for 10 minutes`.
  @MainActor func sentence(_ output: Output) -> String {
    Printable.text(Self.person(context)) + ": \(state(output))."
  }

  /// The label, if there is one, and the user at the server.
  static func person(_ context: SessionContext) -> String {
    let server = ServerName.text(context.server)
    let user = userName(context).map { "\($0) at \(server)" } ?? server
    return context.label?.value.map { "\($0) (\(user))" } ?? user
  }

  /// What the user is called: the name of the last login, else what the server tells, as after a
  /// login on its page; `nil` where nothing says it.
  static func userName(_ context: SessionContext) -> String? {
    guard context.loginName.value?.isEmpty == true else { return context.loginName.text }
    return userAttributes.lazy.compactMap { context.user[$0] }.first { !$0.isEmpty }
  }

  /// How servers call the name of a user, the best known first: OpenID Connect Core 1.0 section
  /// 5.1, and Liferay.
  private static let userAttributes = [
    "preferred_username", "email", "emailAddress", "screenName", "name",
  ]

  /// The state, and how long the access token is valid, or that it is over.
  @MainActor func state(_ output: Output) -> String {
    let state = output.painted(context.stateText, context.state.paint)
    if output.times.isRenewalDue(of: context) { return "\(state), renewed at its next use" }
    guard context.state.reason == nil, let left = output.times.left(of: context) else {
      return state
    }
    return "\(state), valid for \(TimeText.spoken(left))"
  }

  /// All that is known, one fact a line.
  ///
  /// - Parameters:
  ///   - output: Where they are printed.
  ///   - isFull: Whether the user's attributes belong to it.
  ///   - moment: When it is so, if that is not now: ages count from then.
  /// - Returns: The lines.
  @MainActor func lines(
    _ output: Output, isFull: Bool, asOf moment: Timestamp? = nil
  ) -> [String] {
    let times = moment.map(output.times.counting) ?? output.times
    return facts(output, times).map { Self.line($0.name, $0.value) }
      + (isFull ? attributeLines(times) : [])
  }

  /// All that is known but the user's attributes.
  ///
  /// - Parameters:
  ///   - output: Where they are printed.
  ///   - times: Writes times, with or without ages.
  /// - Returns: Names and values.
  @MainActor func facts(
    _ output: Output, _ times: TimeText
  ) -> [(name: String, value: String)] {
    let known: [(String, String?)] = [
      ("account", context.account.description + (context.isCurrent ? " (current)" : "")),
      ("label", context.label?.text),
      ("user", context.loginName.text),
      ("server", context.server),
      ("client", context.client),
      ("method", context.method),
    ].map { ($0, $1.map { Printable.text($0) }) }
    let state = output.painted(context.stateText, context.state.paint)
    // What has ended does not end once more.
    let expiry = context.state.reason == nil ? times.expiry(of: context) : nil
    let facts: [(String, String?)] = [
      ("state", "\(state), since \(times.text(context.since))"),
      ("last verified", context.lastVerified.map(times.agedPast)),
      ("expires", expiry.map { $0 + (context.renewsItself ? ", renewed automatically" : "") }),
      ("renewal", renewal(times)),
      ("scopes", scopes.map { Printable.text($0.joined(separator: " ")) }),
      ("offline limit", context.offlineLimit.map(offline)),
      ("caused by", "event \(context.position)"),
      ("recorded", context.isRecorded ? nil : unrecorded),
    ]
    return (known + facts).compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : (name: name, value: $0) }
    }
  }

  private func offline(_ limit: Duration) -> String {
    "\(limit.units) without the server confirming the session"
      + (context.isPastOfflineLimit
        ? ", exceeded: the session ends at the next use that the server does not confirm" : "")
  }

  /// Why the log does not show it.
  private var unrecorded: String {
    context.state.reason != nil || context.state == .uncertain
      ? "not yet: the next command that uses the account records it"
      : "no: the book could not be written, so the log does not show it"
  }

  /// What is wrong with the session's renewal; `nil` where nothing is.
  func renewal(_ times: TimeText) -> String? {
    if let reason = context.renewalEnd { return "has ended: \(reason.text)" }
    guard context.failedRenewals > 0 else { return nil }
    let count = context.failedRenewals == 1 ? "once" : "\(context.failedRenewals) times"
    let next = context.nextRenewal.map { "; the next one is due at \(times.text($0))" } ?? ""
    return "failed \(count)\(next)"
  }

  private func attributeLines(_ times: TimeText) -> [String] {
    guard let attributes = context.attributes.value else {
      return [Self.line("attributes", context.attributes.hidden)]
    }
    let lines = FactText.long(attributes.facts, .servers(times))
    return lines.isEmpty ? [] : ["attributes"] + lines.map { "  " + $0 }
  }

  private static func line(_ name: String, _ value: String) -> String {
    name.padded(to: 15) + value
  }
}

/// What accounts are called in tables and reports: their label, else the beginning of their id.
struct AccountNames: Sendable {
  /// The labels that are known; they are personal.
  let labels: [AccountID: String]

  init(_ contexts: [SessionContext] = []) {
    labels = Dictionary(
      contexts.compactMap { context in context.label?.value.map { (context.account, $0) } }
    ) { $1 }
  }

  subscript(account: AccountID) -> String { labels[account] ?? Self.short(account) }

  /// The beginning of an identity, as everywhere.
  static func short(_ id: some Identity) -> String { String(id.description.prefix(8)) }
}

/// What servers are called in tables and pictures.
enum ServerName {
  /// A server without the usual `https://`; one without TLS is marked as that.
  static func text(_ server: String) -> String {
    server.hasPrefix("https://") ? String(server.dropFirst(8)) : server
  }
}
