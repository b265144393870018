import CSQLite
import GatebookCrypto
import GatebookEvents
import Testing

@testable import GatebookStore

extension Connection {
  /// Computes an event's leaf again, as somebody does who has changed the event.
  @discardableResult func sign(_ position: Int64) throws -> Digest {
    let row = try statement(
      "SELECT \(CanonicalNames.columns) FROM event WHERE position = \(position)")
    #expect(try row.step())
    var leaves = EventLeaves(self)
    let found = try leaves.leaf(of: row)
    row.reset()
    let leaf = try #require(found)
    let update = try statement("UPDATE event SET leaf = ?1 WHERE position = ?2")
    update.bind(1, leaf.bytes)
    update.bind(2, position)
    try update.run()
    return leaf
  }
}
