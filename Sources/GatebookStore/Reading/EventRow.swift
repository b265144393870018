package import GatebookEvents

/// An event where the database keeps it: nothing of it was made into a value.
///
/// Its facts are valid until the scan continues. Accounts, sessions, kinds and writers are numbers
/// of the book's dictionaries; ``EventNames`` knows them.
package struct EventRow {
  /// Its place in the book.
  package let position: Int64
  /// Its idempotency key.
  package let id: EventID
  /// Its stream; 0 is the book's own.
  package let account: Int64
  /// Its place in the stream, from 1.
  package let revision: Int64
  /// The session or login attempt it belongs to.
  package let session: Int64?
  /// What happened.
  package let kind: Int64
  /// The version of the kind's facts.
  package let version: Int64
  /// The writer's wall clock.
  package let at: Timestamp
  /// The event that led to it.
  package let cause: Int64?
  /// Who wrote it.
  package let writer: Int64
  /// In which process.
  package let process: Int64
  /// Facts that are neither secret nor personal, as canonical JSON.
  package let data: UnsafeRawBufferPointer
  /// Personal facts; `nil` when the event has none.
  package let personal: Personal<Facts>?
}
