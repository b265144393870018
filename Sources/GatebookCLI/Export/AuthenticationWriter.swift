internal import Gatebook

/// Writes events as Authentication of the Open Cybersecurity Schema Framework.
///
/// Source: OCSF 1.8.0, class 3002. Events that are about no authentication are left out; see
/// ``AuthenticationActivity``.
struct AuthenticationWriter: EventWriter {
  private let names: RenderedNames
  private let book: [UInt8]
  private var owners: [AccountID: Owner] = [:]
  private let nobody = Owner()
  /// Where logins under way go to: what follows their first event does not tell.
  private var attempts: [Int64: [UInt8]] = [:]

  /// What stands in each event of an account.
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

  init(
    _ names: RenderedNames, _ book: BookID, _ accounts: [SessionContext], tellsNames: Bool
  ) {
    self.names = names
    self.book = JSON.text(book.description).encoded
    for account in accounts { owners[account.account] = Owner(account, tellsName: tellsNames) }
  }

  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError) {
    let facts = FactScanner(row.data)
    let kind = try names.kind(row.kind)
    guard
      let activity = EventKind(rawValue: kind).flatMap({
        AuthenticationActivity($0, reason: facts.text("reason").flatMap(EndReason.init(rawValue:)))
      })
    else { return }
    let service = service(row, facts)
    let owner = try names.account(row.account).flatMap { owners[$0] } ?? nobody
    classify(activity, &bytes)
    bytes += owner.protocols
    bytes.add(",\"is_remote\":true,\"message\":")
    bytes += try names.kindBytes(row.kind)
    try addMetadata(row, &bytes)
    bytes.add(",\"service\":")
    bytes += owner.service ?? (service.isEmpty ? Self.unknownService : service)
    if let session = row.session {
      bytes.add(",\"session\":{\"uid\":")
      bytes += try names.sessionBytes(session)
      bytes.add("}")
    }
    if let code = facts.text("code") {
      bytes.add(",\"status_code\":")
      bytes += JSON.text(code).encoded
    }
    if let reason = facts.text("reason") {
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

  /// The server of an event without an account.
  private mutating func service(_ row: EventRow, _ facts: FactScanner) -> [UInt8] {
    guard row.account == 0 else { return [] }
    let known = row.session.flatMap { attempts[$0] }
    guard let server = facts.text("server") else { return known ?? Self.unknownService }
    let service = JSON.present(["name": .text(server)]).encoded
    if let session = row.session {
      // Most attempts become a session at once; of the others the newest are remembered.
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
  private func addMetadata(_ row: EventRow, _ bytes: inout [UInt8]) throws(GatebookError) {
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
