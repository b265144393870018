/// The difference between two sets of attributes, as `attributes.changed` tells it; `nil` when
/// there is none.
struct AttributeChange {
  /// The names of the attributes that changed, as far as they may be in the clear: a server chooses
  /// them.
  let facts: AttributesChanged
  /// The whole set after the change.
  let personal: Facts

  /// Compares two sets.
  ///
  /// - Parameters:
  ///   - old: The set before.
  ///   - new: The set after.
  ///   - leaks: Names that must not be in the clear.
  init?(from old: UserAttributes, to new: UserAttributes, besides leaks: Set<String> = []) {
    let names = Set(old.names).union(new.names).filter { old.facts[$0] != new.facts[$0] }
    guard !names.isEmpty else { return nil }
    let ordered = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    facts = AttributesChanged(
      keys: ordered.filter { GatebookError.isPlainName($0) && !leaks.contains($0) })
    personal = AttributesChanged.Personal(attributes: .object(new.facts)).facts
  }
}
