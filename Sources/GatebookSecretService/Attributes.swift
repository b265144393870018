internal import CSecret
internal import Glibc

/// What an item of the keyring is found by; everybody who sees the keyring can read it.
struct Attributes: Sendable {
  private let pairs: [(name: String, value: String)]

  init(_ pairs: KeyValuePairs<String, String>) {
    self.pairs = pairs.map { ($0.key, $0.value) }
  }

  /// Lends the attributes as a table of GLib's.
  func withTable<Result>(
    _ library: SecretLibrary, _ body: (OpaquePointer?) throws(KeyringFailure) -> Result
  ) throws(KeyringFailure) -> Result {
    let functions = library.functions
    let table = functions.g_hash_table_new(functions.g_str_hash, functions.g_str_equal)
    var texts: [UnsafeMutablePointer<CChar>?] = []
    // The table's texts are freed after it.
    defer { for text in texts { free(text) } }
    defer { functions.g_hash_table_unref(table) }
    for (name, value) in pairs {
      texts += [strdup(name), strdup(value)]
      _ = functions.g_hash_table_insert(table, texts[texts.count - 2], texts[texts.count - 1])
    }
    return try body(table)
  }
}
