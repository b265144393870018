extension ProposedEvent {
  /// An event without a place, as it belongs to an account, a session and a cause.
  func placed(
    _ account: AccountID?, _ session: SessionID?, cause: Cause
  ) -> ProposedEvent {
    var event = self
    (event.account, event.session, event.cause) = (account, session, cause)
    return event
  }

  /// The difference between two sets of attributes, as `attributes.changed` tells it; `nil` when
  /// there is none.
  ///
  /// It holds the whole set after the change, and those names of what changed that may be in the
  /// clear: a server chooses the names.
  ///
  /// - Parameters:
  ///   - old: The set before.
  ///   - new: The set after.
  ///   - leaks: Names that must not be in the clear.
  init?(
    changing old: UserAttributes, to new: UserAttributes, besides leaks: Set<String> = []
  ) {
    let names = Set(old.names).union(new.names).filter { old.facts[$0] != new.facts[$0] }
    guard !names.isEmpty else { return nil }
    let ordered = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.init(
      AttributesChanged(
        keys: ordered.filter { GatebookError.isPlainName($0) && !leaks.contains($0) }),
      personal: AttributesChanged.Personal(attributes: .object(new.facts)).facts)
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
