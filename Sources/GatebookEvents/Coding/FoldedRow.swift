/// A record of a projection: its row holds canonical JSON, and a snapshot of the past holds it
/// packed.
package protocol FoldedRow: FactsRecord {}

// Callers are in other modules, where the compiler does not see the members of a record. Without
// its own code for each record, every member looks its type up at run time: that takes three times
// as long.
extension FoldedRow {
  /// The record as a projection's row holds it.
  package var encoded: [UInt8] {
    @_specialize(where Self == AccountState)
    @_specialize(where Self == SessionRecord)
    @_specialize(where Self == Roster)
    get { RowWriter.encode(self) }
  }

  /// The record as a snapshot of the past holds it.
  package var packed: [UInt8] {
    @_specialize(where Self == AccountState)
    @_specialize(where Self == SessionRecord)
    @_specialize(where Self == Roster)
    get { PackedRowWriter.encode(self) }
  }

  /// Reads what `encoded` wrote; `nil` for anything else.
  @_specialize(where Self == AccountState)
  @_specialize(where Self == SessionRecord)
  @_specialize(where Self == Roster)
  package init?(decoding bytes: UnsafeRawBufferPointer) {
    guard let record: Self = RowReader.decode(bytes) else { return nil }
    self = record
  }

  /// Reads what `packed` wrote; `nil` for anything else.
  @_specialize(where Self == AccountState)
  @_specialize(where Self == SessionRecord)
  @_specialize(where Self == Roster)
  package init?(packed bytes: UnsafeRawBufferPointer) {
    guard let record: Self = PackedRowReader.decode(bytes) else { return nil }
    self = record
  }
}
