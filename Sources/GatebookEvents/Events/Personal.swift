/// A personal value as this reader can see it.
public enum Personal<Value: Hashable & Sendable>: Hashable, Sendable {
  /// The value.
  case known(Value)
  /// There is a value, but the book was opened without its key.
  case sealed
  /// There was a value; its account was erased.
  case forgotten
  /// There was a value; its event or key was lost with a damaged book, or was changed.
  case lost

  /// The value; `nil` when it cannot be seen.
  public var value: Value? {
    if case .known(let value) = self { value } else { nil }
  }

  /// The same visibility of a value made from this one.
  package func map<Other>(_ transform: (Value) -> Other) -> Personal<Other> {
    switch self {
    case .known(let value): .known(transform(value))
    case .sealed: .sealed
    case .forgotten: .forgotten
    case .lost: .lost
    }
  }
}
