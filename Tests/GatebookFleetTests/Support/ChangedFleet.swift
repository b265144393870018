import Gatebook
import Testing

@testable import GatebookFleet

/// A fleet with books that the cases of a serialized suite change, and that is whole again for the
/// next one.
///
/// To put its rows back takes less time than to make another fleet and to ship again.
final class ChangedFleet: Sendable {
  let fleet: TestFleet
  let book: TestBook

  /// Takes over a fleet, and keeps a copy of all of its rows.
  init(_ fleet: TestFleet, _ book: TestBook) throws(GatebookError) {
    self.fleet = fleet
    self.book = book
    try fleet.run(
      """
      CREATE SCHEMA kept;
      DO $$
      DECLARE name text;
      BEGIN
        FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'gatebook'::regnamespace
          AND relkind IN ('r', 'p')
        LOOP
          EXECUTE format('CREATE TABLE kept.%1$I AS SELECT * FROM gatebook.%1$I', name);
        END LOOP;
      END $$
      """)
  }

  /// Changes rows, does something, and puts the rows back.
  ///
  /// - Parameters:
  ///   - script: Statements that change rows and nothing else.
  ///   - body: What is done with the changed fleet.
  /// - Returns: What the body returns.
  /// - Throws: What the statements or the body throw; the rows are put back then too.
  func changed<Value>(
    by script: String, _ body: (TestFleet) async throws -> Value
  ) async throws -> Value {
    do {
      try fleet.run(script)
      let value = try await body(fleet)
      try putBack()
      return value
    } catch {
      try putBack()
      throw error
    }
  }

  private func putBack() throws(GatebookError) {
    // Triggers and references would see tables that are half put back.
    try fleet.run(
      """
      DO $$
      DECLARE name text;
      BEGIN
        SET LOCAL session_replication_role = replica;
        FOR name IN SELECT relname FROM pg_class WHERE relnamespace = 'kept'::regnamespace
        LOOP
          EXECUTE format('DELETE FROM gatebook.%I', name);
          EXECUTE format('INSERT INTO gatebook.%1$I SELECT * FROM kept.%1$I', name);
        END LOOP;
      END $$
      """)
  }
}

extension TestFleet {
  /// A fleet with one shipped book, whose rows tests change.
  static func changedWithBook() async throws -> ChangedFleet {
    let (fleet, book) = try await withBook()
    return try ChangedFleet(fleet, book)
  }
}
