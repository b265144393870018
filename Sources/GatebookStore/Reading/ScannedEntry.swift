package import GatebookEvents

/// What a fold needs of an event, where the database keeps it.
///
/// Its facts are valid until the scan continues. Accounts, sessions and kinds are numbers of the
/// book's dictionaries; ``EventNames`` knows them.
package struct ScannedEntry {
  package let position: Position
  /// The number of its stream; 0 is the book's own.
  package let account: Int64
  /// Its place in the stream, from 1.
  package let revision: Int64
  /// The number of the session or login attempt it belongs to.
  package let session: Int64?
  package let kind: Int64
  package let at: Timestamp
  /// Facts that are neither secret nor personal.
  package let data: UnsafeRawBufferPointer
}
