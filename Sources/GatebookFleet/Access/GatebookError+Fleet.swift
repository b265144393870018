internal import Gatebook
internal import GatebookSystem

extension GatebookError {
  /// What a failure of PostgreSQL means for who uses a fleet.
  ///
  /// - Parameters:
  ///   - failure: The failure.
  ///   - address: Where the fleet is.
  init(_ failure: PostgresFailure, at address: FleetAddress) {
    let cause = failure.state.map { "\($0): \(failure.message)" } ?? failure.message
    guard failure.place != .cancelled else {
      self.init(
        .cancelled, "The call was cancelled.", kept: Self.committed,
        remedy: "Call it again to continue.")
      return
    }
    let code = Self.code(of: failure)
    let (message, remedy) =
      failure.isAboutOtherServer
      ? Self.words(aboutServersOf: address)
      : failure.isAboutOthers ? Self.words(aboutOthersAt: address) : Self.words(code, address)
    self.init(code, message, kept: Self.committed, remedy: remedy, cause: cause)
  }

  private static let committed = "The book was not changed. The fleet keeps what it confirmed."

  private static func words(
    aboutServersOf address: FleetAddress
  ) -> (message: String, remedy: String) {
    (
      "A server of the fleet at \(address) does not answer.",
      "Start that server, or check the network between it and the coordinator. Then run the command "
        + "again. `FleetShards.servers()` lists the servers."
    )
  }

  private static func words(
    aboutOthersAt address: FleetAddress
  ) -> (message: String, remedy: String) {
    (
      "The fleet at \(address) is busy: another command was in the way of a statement.",
      "Run it again. It continues after the last event that the fleet has."
    )
  }

  private static func words(
    _ code: FailureCode, _ address: FleetAddress
  ) -> (message: String, remedy: String) {
    switch code {
    case .fleetUnreachable:
      (
        "The fleet at \(address) could not be reached.",
        "Check the address and the network, then run it again. It continues after the last event that the fleet has."
      )
    case .fleetFull:
      (
        "The fleet at \(address) has no room left.",
        "Make room on the server, then run it again. It continues after the last event that the fleet has."
      )
    case .fleetRefused:
      (
        "The fleet at \(address) refused the role.",
        "Check the user in the URL and its password. An administrator makes it a shipper with GRANT "
          + "gatebook_shipper, and an auditor with GRANT gatebook_auditor."
      )
    case .fleetUntrusted:
      (
        "The server of the fleet at \(address) is not trusted, so nothing was sent to it.",
        "Give the file of the authority that signed its certificate, and use the name that is in the "
          + "certificate."
      )
    case .fleetMissing:
      (
        "The database at \(address) is no fleet.",
        "Check the URL. An administrator makes the database a fleet with `FleetSchema.create`."
      )
    default:
      (
        "The fleet at \(address) did not accept a statement.",
        "If the fleet and this program are undamaged, report this as a bug."
      )
    }
  }

  /// Source: PostgreSQL 15, appendix A "PostgreSQL Error Codes".
  private static func code(of failure: PostgresFailure) -> FailureCode {
    switch failure.state {
    case "53100", "53200": return .fleetFull
    // What a server on a full disk says to a new connection, without a code of its own.
    case "XX000" where failure.message.contains("could not write init file"): return .fleetFull
    case "42501", "28000", "28P01": return .fleetRefused
    case "3D000", "3F000", "42P01", "42883": return .fleetMissing
    default: break
    }
    if failure.kind == "28" { return .fleetRefused }
    if failure.isTransient || failure.kind == "53" || failure.kind == "57" || failure.state == nil {
      return failure.isAboutTrust ? .fleetUntrusted : .fleetUnreachable
    }
    return .fleetMismatch
  }
}

extension PostgresFailure {
  /// Whether the server asked for a password that nobody gave.
  var needsPassword: Bool { place == .connecting && state == "28P01" }

  /// Whether the coordinator could not reach another server of the fleet.
  var isAboutOtherServer: Bool { place == .statement && kind == "08" }

  /// Whether another transaction was in the way: a lock, a deadlock, a row that it changed.
  var isAboutOthers: Bool {
    place == .statement && (kind == "40" || ["23505", "55P03"].contains(state))
  }

  /// Whether TLS failed: libpq has no code for it, only words.
  var isAboutTrust: Bool {
    place == .connecting && state == nil
      && ["certificate", "SSL", "TLS"].contains { message.contains($0) }
  }
}
