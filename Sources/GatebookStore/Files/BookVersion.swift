internal import GatebookEvents
internal import GatebookMigrations

/// Tells whether this Gatebook may open a file, from the two numbers in its header.
///
/// An older book can be read as it is; a writer first brings its schema up to date.
enum BookVersion {
  static func check(
    application: Int64, version: Int64, isEmpty: Bool
  ) throws(GatebookError) {
    if isEmpty, application == 0, version == 0 { return }
    guard application == BookOpening.applicationID else {
      throw .storageDamaged("The file is a SQLite database, but not a book of Gatebook.")
    }
    guard version <= migrations.count else {
      throw GatebookError(
        .storageNewer, "A newer version of Gatebook wrote this book (schema \(version)).",
        kept: "The book was not changed.",
        remedy: "Use that version, or a newer one. This version knows schema \(migrations.count).")
    }
    guard version > 0, !isEmpty else {
      throw .storageDamaged("The book's schema is incomplete.")
    }
  }
}
