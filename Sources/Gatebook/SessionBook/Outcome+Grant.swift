extension Outcome {
  /// Tells in an event what the server granted, and how that was learnt.
  func tellGrant(in data: inout Facts) {
    let missing = proof.missingScopes
    data["discovered"] = .optional(discovered?.rawValue)
    data["idToken"] = .optional(refusedIDToken)
    data["missing"] = missing.isEmpty ? nil : .plainScope(missing.joined(separator: " "))
    data["scope"] = scope.flatMap { scope in
      echoes.isDisjoint(with: Self.names(ofScope: scope)) ? .plainScope(scope) : nil
    }
    data["unbound"] = isUnbound ? true : nil
  }

  /// The names that a server chose and that may stand in the clear.
  var chosenNames: [String] { attributes.names + Self.names(ofScope: scope ?? "") }

  private static func names(ofScope scope: String) -> [String] {
    scope.split(separator: " ").map(String.init)
  }
}
