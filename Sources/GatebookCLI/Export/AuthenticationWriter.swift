internal import Gatebook

/// Writes events as Authentication of the Open Cybersecurity Schema Framework.
///
/// Source: OCSF 1.8.0, class 3002. Events that are about no authentication are left out; see
/// ``AuthenticationActivity``.
struct AuthenticationWriter: EventWriter {
  private var names: RenderedNames
  private let reader: BookReader
  private let tellsNames: Bool
  private let book: [UInt8]
  private var owners: [AccountID: Owner] = [:]
  private var recentOwners = RecentValues<Owner>(1024)
  private let nobody = Owner()
  /// Where logins go to that have no account yet.
  private var attempts: [Int64: [UInt8]] = [:]

  /// The fields of an account in each of its events.
  private struct Owner {
    let user: [UInt8]
    /// The server; `nil` where only the event itself can tell.
    let service: [UInt8]?
    let protocols: [UInt8]

    /// Who an event without an account is about.
    init() {
      user = Array(#"{"uid":"unknown","type_id":0}"#.utf8)
      service = nil
      protocols = []
    }

    init(_ account: SessionContext, tellsName: Bool) {
      let name = tellsName ? account.loginName.value : nil
      user =
        JSON.present([
          "uid": .text(account.account.description), "name": name.map(JSON.text),
          "type_id": .integer(1),
        ]).encoded
      service = JSON.present(["name": .text(account.server)]).encoded
      let number = Self.protocols[account.method] ?? 99
      protocols =
        Array(",\"auth_protocol\":".utf8) + JSON.text(account.method).encoded
        + Array(",\"auth_protocol_id\":\(number)".utf8)
    }

    /// The values of `auth_protocol_id`; any other method is 99, "Other".
    private static let protocols: [String: Int64] = ["oidc": 4, "oauth2": 6]
  }

  init(_ names: RenderedNames, _ reader: BookReader, tellsNames: Bool) {
    self.names = names
    self.reader = reader
    self.tellsNames = tellsNames
    book = JSON.text(reader.id.description).encoded
  }

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    let facts = FactScanner(row.data)
    let reason = facts.text("reason")
    guard let kind = try names.eventKind(row.kind),
      let activity = AuthenticationActivity(
        kind, reason: reason.flatMap(EndReason.init(rawValue:)))
    else { return }
    let owner = try owner(row.account)
    classify(activity, &bytes)
    bytes += owner.protocols
    bytes.add(",\"is_remote\":true,\"message\":")
    bytes += try names.kindBytes(row.kind)
    try addMetadata(row, &bytes)
    bytes.add(",\"service\":")
    if let service = owner.service { bytes += service } else { bytes += try service(row, facts) }
    if let session = row.session {
      bytes.add(",\"session\":{\"uid\":")
      bytes.add(text: try names.session(session))
      bytes.add("}")
    }
    if let code = facts.text("code") {
      bytes.add(",\"status_code\":")
      bytes += JSON.text(code).encoded
    }
    if let reason {
      bytes.add(",\"status_detail\":")
      bytes += JSON.text(reason).encoded
    }
    bytes.add(",\"time\":")
    // Milliseconds since 1970 UTC.
    bytes.add(row.at.rawValue / 1_000)
    bytes.add(",\"unmapped\":")
    try bytes.add(facts: row)
    bytes.add(",\"user\":")
    bytes += owner.user
    bytes.add("}\n")
  }

  /// Whom an event is about.
  private mutating func owner(_ number: Int64) throws(GatebookError) -> Owner {
    if let known = recentOwners[number] { return known }
    let owner =
      if let account = try names.account(number) { try owner(of: account) } else { nobody }
    recentOwners[number] = owner
    return owner
  }

  private mutating func owner(of account: AccountID) throws(GatebookError) -> Owner {
    if let known = owners[account] { return known }
    // Those that were added since the last look are among them.
    for context in try reader.accounts() {
      owners[context.account] = Owner(context, tellsName: tellsNames)
    }
    let owner = owners[account] ?? nobody
    owners[account] = owner
    return owner
  }

  /// The server of an event without an account: the first event of its login names it.
  private mutating func service(
    _ row: EventRow, _ facts: FactScanner
  ) throws(GatebookError) -> [UInt8] {
    if let session = row.session, let known = attempts[session] { return known }
    var server = facts.text("server")
    if server == nil, let session = row.session {
      var filter = EventFilter()
      filter.session = try names.session(session)
      filter.kind = EventKind.loginStarted.rawValue
      filter.limit = 1
      server = try reader.events(filter).first?.facts(of: LoginStarted.self)?.server.known
    }
    let service =
      server.map { JSON.present(["name": .text($0)]).encoded } ?? Self.unknownService
    if let session = row.session {
      if attempts.count >= 1024 { attempts.removeAll(keepingCapacity: true) }
      attempts[session] = service
    }
    return service
  }

  private static let unknownService = Array(#"{"name":"unknown"}"#.utf8)

  private func classify(_ activity: AuthenticationActivity, _ bytes: inout [UInt8]) {
    bytes.add("{\"activity_id\":")
    bytes.add(activity.activity.rawValue)
    bytes.add(",\"activity_name\":\"")
    bytes.add(activity.activity.name)
    bytes.add("\",\"category_name\":\"Identity & Access Management\",\"category_uid\":3")
    bytes.add(",\"class_name\":\"Authentication\",\"class_uid\":3002,\"type_uid\":")
    bytes.add(3002 * 100 + activity.activity.rawValue)
    bytes.add(",\"severity_id\":")
    bytes.add(activity.severity.rawValue)
    bytes.add(",\"severity\":\"")
    bytes.add(activity.severity.name)
    bytes.add("\",\"status_id\":")
    bytes.add(activity.status.rawValue)
    bytes.add(",\"status\":\"")
    bytes.add(activity.status.name)
    bytes.add("\"")
  }

  /// Where the event comes from, and who wrote it.
  private mutating func addMetadata(
    _ row: EventRow, _ bytes: inout [UInt8]
  ) throws(GatebookError) {
    bytes.add(",\"metadata\":{\"version\":\"1.8.0\",\"uid\":\"")
    bytes.add(row.id)
    bytes.add("\",\"sequence\":")
    bytes.add(row.position)
    bytes.add(",\"event_code\":")
    bytes += try names.kindBytes(row.kind)
    bytes.add(",\"log_name\":")
    bytes += book
    bytes.add(",\"log_version\":\"")
    bytes.add(row.version)
    bytes.add(
      "\",\"product\":{\"name\":\"Gatebook\",\"vendor_name\":\"Gatebook\"},\"log_provider\":")
    bytes += try names.programBytes(row.writer)
    bytes.add("}")
  }
}
