/// An event whose stream is not known yet.
struct UnplacedEvent: Sendable {
  let kind: EventKind
  let data: Facts
  let personal: Facts?

  init(_ kind: EventKind, data: Facts, personal: Facts?) {
    self.kind = kind
    self.data = data
    self.personal = personal
  }

  init(_ facts: some EventFacts, personal: Facts? = nil) {
    self.init(type(of: facts).kind, data: facts.facts, personal: personal)
  }
}

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

extension String {
  /// A name that an app or a server chose, if it may be in the clear; otherwise `nil`.
  static func plain(_ name: String) -> String? {
    GatebookError.isPlainName(name) ? name : nil
  }

  /// A scope of such names, if each may be in the clear; otherwise `nil`.
  static func plainScope(_ scope: String) -> String? {
    let names = scope.split(separator: " ").map(String.init)
    guard names.count <= 16, names.allSatisfy(GatebookError.isPlainName) else { return nil }
    return scope
  }
}
