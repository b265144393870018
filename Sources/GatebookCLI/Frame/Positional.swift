/// An argument that is known by its place.
struct Positional: Hashable, Sendable {
  /// What help calls it: `URL`.
  let name: String
  /// What it stands for.
  let note: String
  /// Whether the command does without it.
  let isOptional: Bool

  init(_ name: String, _ note: String, isOptional: Bool = false) {
    self.name = name
    self.note = note
    self.isOptional = isOptional
  }

  /// The name as a usage line prints it: `[P]`.
  var usage: String { isOptional ? "[\(name)]" : name }
}
