import GatebookCrypto
import GatebookEvents
import GatebookMigrations
import Testing

@testable import GatebookStore

@Suite struct MigrationTests {
  @Test func `released migrations are frozen`() {
    let hash = SHA256()
    #expect(
      migrations.map { "\($0.name) \(Hex.encode(hash.hash($0.sql)))" } == [
        "M0001_event_log ede3260c9eef73906e4ea491d2cb743a4159f4640c232f5e963e369ee3620541",
        "M0002_attempts df0f3303fb18ccd5a23e0bd0b919a63db684be8f3373cc12014d4d17d1160375",
        "M0003_rollups 08e26480e51a5576a9ec7973ad563d371ac0d037463f301b5a6fb8dbae0b9c38",
        "M0004_care dbe1974f7a99559e6d1e1a30d8c2bc5c75395f956e6186ecaa727b5d1482f433",
        "M0005_continuation c7b140c423e61e79eb3935ca34989c09fd0fafdbc9edee6f5326e3d1cf24017d",
        "M0006_documents 69b3e32bce272d046644ae64b064772582869e2496e9822ebed100f2c7bb2e8f",
        "M0007_packed_snapshots 918b937327498bb0c8bb384eae7c52631ea5b89ebb6737fbd40ff9ce1c4b0737",
        "M0008_account_clients 9ffb0166ad671efab57388992cbb169bfc89f484c456ba58552ee2ae29e15f24",
        "M0009_pulled_books 232eb72b7bb869cd2b6d9fce990e9ebbd551da94e1a46295e22c4dd30f587717",
      ])
  }

  @Test func `the view for the stock shell joins names and prints times`() async throws {
    let book = try await TestBook.written(events: 0)
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    let statement = try connection.statement(
      """
      SELECT at, account, revision, session, kind, cause, program, data, has_sealed
      FROM event_log WHERE position = 3
      """)
    #expect(try statement.step())
    #expect(statement.text(0) == "2026-01-01T00:00:00.003000Z")
    #expect(statement.text(1) == TestBook.ada.description)
    #expect(statement.integer(2) == 2)
    #expect(statement.text(3) == TestBook.session.description)
    #expect(statement.text(4) == "login.succeeded")
    #expect(statement.integer(5) == 2)
    #expect(statement.text(6) == "tests")
    #expect(statement.text(7).hasPrefix("{\"boot\""))
    #expect(statement.integer(8) == 1)
  }

  @Test func `all tables are strict`() async throws {
    let book = try await TestBook.written(events: 0)
    let connection = try ReaderConnection.open(BookFile(path: book.path))
    #expect(
      try connection.integer(
        "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND NOT strict"
          + " AND name NOT LIKE 'sqlite_%'") == 0)
  }
}
