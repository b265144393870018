import Gatebook
import Testing

@testable import GatebookFleet

/// An event that somebody sends by hand, with statements of their own.
struct StagedEvent {
  /// The book that it is sent for.
  static let book = "6b8b4567-327b-73c6-a432-19d8f4a1c001"
  /// The programs of a batch, as the accepting function takes them.
  static let programs = """
    ARRAY['mail'::bytea], ARRAY['2.1'::bytea], ARRAY['00000000-0000-0001-0000-000000000002']::uuid[]
    """

  let position: Int64
  var data = "{}"
  var kind = "clock.observed"
  var isWithheld = false
  var sealed = "NULL"
  var program = 1
  /// An expression for the leaf; `nil` for the right one.
  var leaf: String?

  init(_ position: Int64, data: String = "{}") {
    self.position = position
    self.data = data
  }

  private var id: String { "00000000-0000-0007-0000-0000000000\(String(position + 16, radix: 16))" }

  /// The statement that stages it.
  ///
  /// The leaf is computed by who may: a shipper has it from the book.
  func statement(_ fleet: TestFleet) throws -> String {
    let quoted = "$json$\(data)$json$"
    let computed = try fleet.value(
      """
      SELECT '\\x' || encode(sha256('\\x00'::bytea || gatebook.canonical(\(position), '\(id)', NULL,
        \(position), NULL, '\(kind)', 1, 5, NULL, substring(int4send(4) FROM 3) || 'mail'::bytea
        || substring(int4send(3) FROM 3) || '2.1'::bytea
        || uuid_send('00000000-0000-0001-0000-000000000002'), 1, \(quoted), \(sealed))), 'hex')
      """)
    let right = try #require(computed)
    let leaf = leaf ?? "'\(right)'"
    return """
      INSERT INTO gatebook.staging (version, position, revision, at, cause, process, program, withheld,
        id, account, session, kind, data, sealed, leaf)
      VALUES (1, \(position), \(position), 5, NULL, 1, \(program), \(isWithheld), '\(id)', NULL, NULL,
        '\(kind)', \(quoted), \(sealed), \(leaf))
      """
  }
}

extension TestFleet {
  /// Begins the history of the book that events are sent for by hand.
  func beginByHand(as role: FleetRole = .shipper) throws {
    try connect(role).run(
      "SELECT gatebook.begin_branch('\(StagedEvent.book)', NULL, 0, 1, NULL, NULL, 0)")
  }

  /// Stages events and has them accepted, as a shipper does.
  ///
  /// - Returns: The verdict and its position, such as `(gap,3)`.
  func accept(
    _ events: [StagedEvent], upTo last: Int64, branch: Int = 0, root: String = "NULL",
    programs: String = StagedEvent.programs, lost: String = "{}", as role: FleetRole = .shipper
  ) throws -> String? {
    let connection = try connect(role)
    try stage(events, connection)
    let verdict = try accept(
      upTo: last, branch: branch, root: root, programs: programs, lost: lost, connection)
    try connection.run("COMMIT")
    return verdict
  }

  /// Begins a transaction, and stages events.
  func stage(_ events: [StagedEvent], _ connection: FleetConnection) throws {
    try connection.run("BEGIN")
    for event in events { try connection.run(try event.statement(self)) }
  }

  /// Has staged events put into the book.
  func prepare(after position: Int64, upTo last: Int64, _ connection: FleetConnection) throws {
    try connection.run(
      """
      SELECT gatebook.prepare('\(StagedEvent.book)', 0, \(position), \(last), \(StagedEvent.programs))
      """)
  }

  /// Has staged or prepared events accepted.
  ///
  /// - Returns: The verdict and its position.
  func accept(
    upTo last: Int64, branch: Int = 0, root: String = "NULL",
    programs: String = StagedEvent.programs, lost: String = "{}", _ connection: FleetConnection
  ) throws -> String? {
    try connection.run(
      """
      SELECT row(verdict, place)::text FROM gatebook.accept('\(StagedEvent.book)', \(branch), \(last),
        \(root), NULL, true, '\(lost)', \(programs))
      """
    ).first?.text(0)
  }
}
