internal import GatebookSystem

/// Texts as parts of a statement, for statements that take no parameters.
enum SQLText {
  /// A name as an identifier (PostgreSQL 15, 4.1.1).
  static func identifier(_ name: String) -> String {
    "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// A text as a literal (PostgreSQL 15, 4.1.2.1).
  static func literal(_ text: String) -> String {
    "'" + text.replacing("'", with: "''") + "'"
  }
}
