public import Gatebook
internal import GatebookSystem

/// Who may ship a book.
public struct FleetOwnership: Sendable {
  /// The book.
  public let book: BookID
  /// The role that shipped it until now.
  public let former: String
  /// The role that ships it from now on.
  public let owner: String

  /// Hands a book over to another role, such as that of a new machine.
  ///
  /// - Parameters:
  ///   - name: The book: a machine's name, a book's identity or its beginning.
  ///   - role: The role; it must be a member of gatebook_shipper.
  ///   - access: The fleet, as a member of gatebook_owner.
  /// - Returns: What was changed.
  /// - Throws: `configuration.invalid` for a book or role that there is not; `fleet.unreachable` if
  ///   the part of the book moves to another server; other `fleet` failures.
  public static func grant(
    _ name: String, to role: String, at access: FleetAccess
  ) async throws(GatebookError) -> FleetOwnership {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let connection = try FleetConnection.open(access)
      let book = try connection.reading { () throws(GatebookError) in
        try FleetBook.only(named: name, connection)
      }
      guard try isShipper(role, connection) else {
        throw GatebookError(
          .configurationInvalid, "No role \(role) may log in as a shipper of the fleet.",
          remedy: "Make it one: GRANT gatebook_shipper TO the role."
        ).with(\.setting, "role")
      }
      try connection.asOwner { () throws(GatebookError) in
        let isOpen = try connection.run("SELECT gatebook.holds_open($1)", .identity(book.id))
        guard isOpen.first?.bool(0) == true else {
          throw ShipRefusal.moving(access.address).with(\.kept, "The book keeps its owner.").with(
            \.remedy, "Run it again in a moment: `gatebook fleet grant \(book.id) --to \(role)`.")
        }
        try connection.run(
          "UPDATE gatebook.branch SET owner = $2 WHERE book = $1", .identity(book.id), .text(role))
      }
      return FleetOwnership(book: book.id, former: book.owner, owner: role)
    }
  }

  /// Whether a role can ship: a group of roles cannot.
  private static func isShipper(
    _ role: String, _ connection: FleetConnection
  ) throws(GatebookError) -> Bool {
    // Text of PostgreSQL cannot hold U+0000, so no role has such a name.
    guard !role.utf8.contains(0) else { return false }
    return try connection.run(
      """
      SELECT 1 FROM pg_roles
      WHERE rolname = $1 AND rolcanlogin AND pg_has_role(oid, 'gatebook_shipper', 'MEMBER')
      """, .text(role)
    ).count > 0
  }
}
