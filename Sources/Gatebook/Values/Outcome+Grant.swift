extension Outcome {
  /// What the server granted, and how that was learnt, as the event says it.
  var grant: Grant {
    let missing = proof.missingScopes.filter { !leaks.contains($0) }
    var grant = Grant()
    grant.discovered = discovered
    grant.idToken = refusedIDToken
    grant.missing = missing.isEmpty ? nil : .plainScope(missing.joined(separator: " "))
    grant.scope = scope.flatMap { scope in
      .plainScope(
        Self.names(ofScope: scope).filter { !leaks.contains($0) }.joined(separator: " "))
    }
    grant.isUnbound = isUnbound
    return grant
  }

  /// The names that a server chose and that may be in the clear.
  var chosenNames: [String] {
    attributes.names + Self.names(ofScope: scope ?? "") + proof.missingScopes + jar.names
  }

  private static func names(ofScope scope: String) -> [String] {
    scope.split(separator: " ").map(String.init)
  }
}
