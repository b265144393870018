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
  private var owners: [Int64: Owner] = [:]
  /// Where logins go to that have no account yet.
  private var attempts: [Int64: [UInt8]] = [:]

  /// The fields of an account in each of its events.
  private struct Owner {
    let user: [UInt8]
    /// The server; `nil` where only the event itself can tell.
    let service: [UInt8]?
    let protocols: [UInt8]

    /// Makes them; without an account, for what nobody is known of.
    init(_ account: SessionContext?, tellsName: Bool) {
      let name = tellsName ? account?.loginName.value : nil
      user =
        JSON.present([
          "uid": .text(account?.account.description ?? "unknown"), "name": name.map(JSON.text),
          "type_id": .integer(account == nil ? 0 : 1),
        ]).encoded
      service = account.map { AuthenticationWriter.service($0.server) }
      let protocols = account.map { account -> ExportedText in
        // Any other method is 99, "Other".
        let number: Int64 = ["oidc": 4, "oauth2": 6][account.method] ?? 99
        return
          #","auth_protocol":\#(JSON.text(account.method).encoded),"auth_protocol_id":\#(number)"#
      }
      self.protocols = protocols?.bytes ?? []
    }
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
    guard let kind = try names.eventKinds[row.kind],
      let activity = AuthenticationActivity(
        kind, reason: reason.flatMap(EndReason.init(rawValue:)))
    else { return }
    let (activities, severity, status) = (activity.activity, activity.severity, activity.status)
    let owner = try owner(of: row)
    let service = if let known = owner.service { known } else { try service(of: row, facts) }
    let name = try names.kinds[row.kind]
    let session = try names.session(of: row).map { uid -> ExportedText in #"{"uid":\#(uid)}"# }
    // Times are milliseconds since 1970 UTC.
    try bytes.add(
      #"""
      {"activity_id":\#(activities.rawValue),"activity_name":"\#(activities.name)",\#
      "category_name":"Identity & Access Management","category_uid":3,\#
      "class_name":"Authentication","class_uid":3002,\#
      "type_uid":\#(3002 * 100 + activities.rawValue),\#
      "severity_id":\#(severity.rawValue),"severity":"\#(severity.name)",\#
      "status_id":\#(status.rawValue),"status":"\#(status.name)"\#(owner.protocols),\#
      "is_remote":true,"message":\#(name),\#
      "metadata":{"version":"1.8.0","uid":"\#(row.id)","sequence":\#(row.position),\#
      "event_code":\#(name),"log_name":\#(book),"log_version":"\#(row.version)",\#
      "product":{"name":"Gatebook","vendor_name":"Gatebook"},\#
      "log_provider":\#(names.programs[row.writer])},\#
      "service":\#(service)\#(member: "session", session?.bytes)\#
      \#(member: "status_code", facts.text("code").map { JSON.text($0).encoded })\#
      \#(member: "status_detail", reason.map { JSON.text($0).encoded }),\#
      "time":\#(row.at.rawValue / 1_000),"unmapped":\#(facts: row),"user":\#(owner.user)}

      """#)
  }

  /// Whom an event is about.
  private mutating func owner(of row: EventRow) throws(GatebookError) -> Owner {
    if let known = owners[row.account] { return known }
    let account = row.account == 0 ? nil : try reader.eventNames.account(row.account)
    let context: SessionContext? = if let account { try reader.context(of: account) } else { nil }
    let owner = Owner(context, tellsName: tellsNames)
    owners[row.account] = owner
    return owner
  }

  /// The server of an event without an account: the first event of its login names it.
  private mutating func service(
    of row: EventRow, _ facts: FactScanner
  ) throws(GatebookError) -> [UInt8] {
    if let session = row.session, let known = attempts[session] { return known }
    var server = facts.text("server")
    if server == nil, let session = row.session {
      let start = try reader.last(.loginStarted, in: try reader.eventNames.session(session)).first
      server = start?.facts(of: LoginStarted.self)?.server.known
    }
    let service = Self.service(server ?? "unknown")
    if let session = row.session {
      if attempts.count >= 1024 { attempts.removeAll(keepingCapacity: true) }
      attempts[session] = service
    }
    return service
  }

  private static func service(_ name: String) -> [UInt8] {
    let service: JSON = ["name": .text(name)]
    return service.encoded
  }
}
