/// An argument that is known by its place.
struct Positional: Hashable, Sendable {
  /// What help calls it: `URL`.
  let name: String
  /// What it stands for.
  let note: String
  /// Whether the command does without it.
  let isOptional: Bool
  /// What shells offer in its place; other words are allowed too.
  let words: [Word]

  /// A word that is allowed in its place, and what it means.
  struct Word: Hashable, Sendable {
    let text: String
    let note: String
  }

  init(_ name: String, _ note: String, isOptional: Bool = false, words: [Word] = []) {
    self.name = name
    self.note = note
    self.isOptional = isOptional
    self.words = words
  }

  /// The account that a command is about: it counts as `--account`.
  static let account = Positional("A", "the account, as in --account", isOptional: true)
  /// The same, or the position of an event: digits alone.
  static let accountOrPosition = Positional(
    "A|P", "the account, as in --account, or the position of an event", isOptional: true)

  /// The same, or the address of a server.
  static let accountOrServer = Positional(
    "A|URL", "the account, as in --account, or the address of a server", isOptional: true)

  /// The name as a usage line prints it: `[P]`.
  var usage: String { isOptional ? "[\(name)]" : name }
}
