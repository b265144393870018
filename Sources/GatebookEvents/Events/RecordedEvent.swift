/// An event of the log; it never changes.
public struct RecordedEvent: Identifiable, Hashable, Sendable {
  /// Its position in the book.
  public let position: Position
  /// Its idempotency key.
  public let id: EventID
  /// Its account; `nil` for an event of the book itself.
  public let account: AccountID?
  /// Its number among the account's events, from 1.
  public let revision: Int64
  /// The session or login attempt it belongs to.
  public let session: SessionID?
  /// Its kind, as text: a newer version may write kinds that this one does not know.
  public let kind: String
  /// The version of the kind's facts.
  public let version: Int
  /// The writer's wall clock; never used for order.
  public let at: Timestamp
  /// The event that led to it.
  public let cause: Position?
  /// Who wrote it.
  public let writer: Writer
  /// Facts that are neither secret nor personal.
  public let data: Facts
  /// Personal facts; `nil` when the event has none.
  public let personal: Personal<Facts>?

  package init(
    position: Position, id: EventID, account: AccountID?, revision: Int64, session: SessionID?,
    kind: String, version: Int, at: Timestamp, cause: Position?, writer: Writer, data: Facts,
    personal: Personal<Facts>?
  ) {
    self.position = position
    self.id = id
    self.account = account
    self.revision = revision
    self.session = session
    self.kind = kind
    self.version = version
    self.at = at
    self.cause = cause
    self.writer = writer
    self.data = data
    self.personal = personal
  }

  /// Whether it is of a kind.
  package func isKind(_ kind: EventKind) -> Bool { self.kind == kind.rawValue }
}

/// The process that wrote an event.
public struct Writer: Hashable, Sendable {
  /// The program it ran.
  public let program: Program
  /// Its process id.
  public let process: Int64

  /// Makes a writer.
  package init(program: Program, process: Int64) {
    self.program = program
    self.process = process
  }
}

/// A program in one installation, which writes to a book.
public struct Program: Hashable, Sendable {
  /// The program's name, such as `mail`.
  public let name: String
  /// The program's version, such as `2.1`.
  public let version: String
  /// The installation: the same for all runs of the program on one machine by one user.
  public let installation: InstallationID

  /// Makes a program.
  public init(name: String, version: String, installation: InstallationID) {
    self.name = name
    self.version = version
    self.installation = installation
  }
}
