/// One step of the schema: applied once, in one transaction, never edited after release.
package struct Migration: Sendable {
  /// The file's name without its ending.
  package let name: String
  /// The statements, in UTF-8.
  package let sql: [UInt8]
}

/// All steps in their order; a book's `user_version` is the number of steps it has seen.
package let migrations: [Migration] = [
  Migration(name: "M0001_event_log", sql: PackageResources.M0001_event_log_sql),
  Migration(name: "M0002_attempts", sql: PackageResources.M0002_attempts_sql),
  Migration(name: "M0003_rollups", sql: PackageResources.M0003_rollups_sql),
  Migration(name: "M0004_care", sql: PackageResources.M0004_care_sql),
  Migration(name: "M0005_continuation", sql: PackageResources.M0005_continuation_sql),
  Migration(name: "M0006_documents", sql: PackageResources.M0006_documents_sql),
  Migration(name: "M0007_packed_snapshots", sql: PackageResources.M0007_packed_snapshots_sql),
  Migration(name: "M0008_account_clients", sql: PackageResources.M0008_account_clients_sql),
  Migration(name: "M0009_pulled_books", sql: PackageResources.M0009_pulled_books_sql),
]
