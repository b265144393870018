/// A command line that cannot be understood; nothing was done.
///
/// The text names options, commands and accounts, never other values that were given: one of them may be
/// a password in the wrong place.
struct UsageError: Error, Hashable, Sendable {
  /// What is wrong.
  let message: String
  /// What to write instead.
  let remedy: String

  init(_ message: String, remedy: String) {
    self.message = message
    self.remedy = remedy
  }
}
