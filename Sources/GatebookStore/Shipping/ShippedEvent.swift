package import GatebookCrypto
package import GatebookEvents

/// An event as it leaves its book: by names and identities, with its encrypted facts as they are.
///
/// The bytes are valid until the next one is read.
package struct ShippedEvent {
  package let position: Int64
  package let id: EventID
  /// `nil` is the book's own stream.
  package let account: AccountID?
  package let revision: Int64
  package let session: SessionID?
  /// The kind's name, UTF-8.
  package let kind: [UInt8]
  package let version: Int64
  package let at: Int64
  package let cause: Int64?
  /// The number of the program among those that the names have met, from 0.
  package let program: Int
  package let process: Int64
  /// Canonical JSON, UTF-8.
  package let data: UnsafeRawBufferPointer
  /// `nil` when the event has no encrypted facts.
  package let sealed: UnsafeRawBufferPointer?
  package let leaf: Digest

  /// Makes an event of its parts.
  package init(
    position: Int64, id: EventID, account: AccountID?, revision: Int64, session: SessionID?,
    kind: [UInt8], version: Int64, at: Int64, cause: Int64?, program: Int, process: Int64,
    data: UnsafeRawBufferPointer, sealed: UnsafeRawBufferPointer?, leaf: Digest
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
    self.program = program
    self.process = process
    self.data = data
    self.sealed = sealed
    self.leaf = leaf
  }
}

/// The names in events that leave a book: what was met is kept for the next scan.
///
/// Belongs to one thread at a time.
package final class ShippedNames {
  fileprivate var kinds = RecentNames<[UInt8]>(256)
  fileprivate var accounts = RecentNames<AccountID>()
  fileprivate var sessions = RecentNames<SessionID>()
  fileprivate var numbers: [Int64: Int] = [:]
  /// The programs that were met, in the order of their numbers.
  package private(set) var programs: [Program] = []

  /// Makes one that has met nothing.
  package init() {}

  fileprivate func program(
    _ number: Int64, _ names: EventNames
  ) throws(GatebookError) -> Int {
    if let known = numbers[number] { return known }
    guard let program = try names.program(number) else {
      throw .storageDamaged("An event refers to a program that does not exist.")
    }
    numbers[number] = programs.count
    programs.append(program)
    return programs.count - 1
  }
}

extension BookReader {
  /// Steps over the events after a position, in order, as they leave the book.
  ///
  /// - Parameters:
  ///   - position: The last event that is left out.
  ///   - end: The last event that counts.
  ///   - names: The names met so far.
  ///   - body: Takes each event; says whether it wants the next one.
  /// - Throws: What `body` throws; `storage` failures.
  package func scanForShipping(
    after position: Int64, upTo end: Int64, _ names: ShippedNames,
    _ body: (ShippedEvent) throws(GatebookError) -> Bool
  ) throws(GatebookError) {
    let connection = try usableConnection
    let stored = eventNames
    try connection.scan(
      EventLeaves.columns, "event NOT INDEXED WHERE position > ?1 AND position <= ?2", position, end
    ) { (row) throws(GatebookError) in
      let place = row.integer(0)
      guard let id = EventID(bytes: row.raw(1)), let leaf = Digest(bytes: row.raw(13)) else {
        throw .storageDamaged("The event at position \(place) cannot be read.")
      }
      var account: AccountID?
      if row.integer(2) != 0 {
        account = try names.accounts.identity(row.integer(2), "account", connection)
        guard account != nil else { throw Self.unnamed(place) }
      }
      var session: SessionID?
      if let number = row.optionalInteger(4) {
        session = try names.sessions.identity(number, "session", connection)
        guard session != nil else { throw Self.unnamed(place) }
      }
      let kind = try names.kinds.value(row.integer(5)) { () throws(GatebookError) in
        Array(try stored.kind(row.integer(5)).utf8)
      }
      return try body(
        ShippedEvent(
          position: place, id: id, account: account, revision: row.integer(3), session: session,
          kind: kind, version: row.integer(6), at: row.integer(7), cause: row.optionalInteger(8),
          program: try names.program(row.integer(9), stored), process: row.integer(10),
          data: row.raw(11), sealed: row.optionalRaw(12), leaf: leaf))
    }
  }

  private static func unnamed(_ position: Int64) -> GatebookError {
    .storageDamaged("The event at position \(position) refers to an identity that does not exist.")
  }
}
