internal import CPostgreSQL
internal import Gatebook

/// libpq, opened: the table of its functions.
///
/// Opening it again is cheap: the dynamic linker counts.
// Unchecked: the table is filled once and only read from then on.
final class PostgresLibrary: @unchecked Sendable {
  static let name = "libpq.so.5"

  let functions: pq_functions

  private init(_ functions: pq_functions) {
    self.functions = functions
  }

  /// Opens libpq by its file name.
  ///
  /// - Throws: `configuration.invalid` where it is not installed.
  static func open(_ name: String = name) throws(GatebookError) -> PostgresLibrary {
    var functions = pq_functions()
    if let reason = pq_functions_open(&functions, name) {
      throw GatebookError(
        .configurationInvalid, "A fleet cannot be reached, because libpq is not installed.",
        remedy: "Install it: apt install libpq5.", cause: String(cString: reason))
    }
    return PostgresLibrary(functions)
  }
}
