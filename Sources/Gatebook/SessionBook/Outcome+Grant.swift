extension Outcome {
  /// Tells in an event what the server granted, and how that was learnt.
  func tellGrant(in data: inout Facts) {
    let missing = proof.missingScopes
    data["discovered"] = .optional(discovered?.rawValue)
    data["missing"] = missing.isEmpty ? nil : .plainScope(missing.joined(separator: " "))
    data["scope"] = scope.flatMap(FactValue.plainScope)
    data["unbound"] = isUnbound ? true : nil
  }
}
