extension Outcome {
  /// Tells in an event what the server granted, and how that was learnt.
  func tellGrant(in data: inout Facts) {
    let missing = proof.missingScopes.filter { !echoes.contains($0) }
    data["discovered"] = .optional(discovered?.rawValue)
    data["idToken"] = .optional(refusedIDToken)
    data["missing"] = missing.isEmpty ? nil : .plainScope(missing.joined(separator: " "))
    data["scope"] = scope.flatMap { scope in
      .plainScope(
        Self.names(ofScope: scope).filter { !echoes.contains($0) }.joined(separator: " "))
    }
    data["unbound"] = isUnbound ? true : nil
  }

  /// The names that a server chose and that may stand in the clear.
  var chosenNames: [String] {
    attributes.names + Self.names(ofScope: scope ?? "") + proof.missingScopes + jar.names
  }

  private static func names(ofScope scope: String) -> [String] {
    scope.split(separator: " ").map(String.init)
  }
}
