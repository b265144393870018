extension String {
  /// The text, or a question mark where an event does not have it.
  var orUnknown: String { isEmpty ? "?" : self }

  /// The text; `nil` where an event does not have it.
  package var known: String? { isEmpty ? nil : self }

  /// A scope inside a sentence: ` for “mail”`; empty for none.
  static func quotedScope(_ scope: String?) -> String {
    guard let scope, !scope.isEmpty else { return "" }
    return " for “\(scope)”"
  }
}
