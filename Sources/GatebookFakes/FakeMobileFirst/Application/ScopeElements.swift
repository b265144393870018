/// A scope, taken apart at white space.
struct ScopeElements: Hashable, Sendable {
  /// The scope of every registered client; its name is reserved.
  static let registeredClient = "RegisteredClient"

  /// The elements in their order, the default one left out.
  let named: [String]

  init(_ scope: String) {
    named = scope.split(whereSeparator: \.isWhitespace).map(String.init)
      .filter { $0 != Self.registeredClient }
  }

  /// The scope as a refusal names it: the default one first.
  var inFull: String {
    ([Self.registeredClient] + named).joined(separator: " ")
  }
}
