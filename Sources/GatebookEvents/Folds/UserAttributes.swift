/// What a server says about the user of an account, by the server's own names.
///
/// All of it is personal data and encrypted in the book. Shape: a flat set of names; a nested value
/// is kept as its JSON text. Values keep their type, numbers that are not 64-bit integers are text.
///
/// Source: Login Screenlet, `userAttributes`.
public struct UserAttributes: Hashable, Sendable {
  /// The attributes by name.
  public private(set) var facts: Facts

  /// Makes attributes from named values.
  public init(_ facts: Facts = [:]) {
    self.facts = facts
  }

  /// An attribute as text; integers and truth values in their JSON form, `nil` when it is absent or
  /// null.
  public subscript(name: String) -> String? {
    switch facts[name] {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .bool(let bool): String(bool)
    default: nil
    }
  }

  /// The names in ascending order.
  public var names: [String] { facts.names }
}
