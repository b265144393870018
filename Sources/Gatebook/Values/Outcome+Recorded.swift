extension Outcome {
  /// What the server granted, and how that was learnt, as the event says it.
  var grant: Grant {
    let missing = missingScopes.filter { !leaks.contains($0) }
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
    attributes.names + Self.names(ofScope: scope ?? "") + missingScopes + jar.names
  }

  private var missingScopes: [String] { proof.tokenBearing?.missingScopes ?? [] }

  private static func names(ofScope scope: String) -> [String] {
    scope.split(separator: " ").map(String.init)
  }
}

extension Outcome {
  /// How long the session lives by what came, and from when, as the event says it: the fold counts
  /// with that (rule 11).
  ///
  /// - Parameters:
  ///   - moment: Now.
  ///   - kept: How far the server's clock was known to be from ours, in microseconds.
  /// - Returns: The life.
  func recordedLife(at moment: Moment, kept: Int64 = 0) -> Life {
    let sent = self.sent ?? moment
    let offset = self.offset(kept: kept)
    var life = Life()
    life.boot = sent.boot
    life.bootID = sent.bootID
    life.lifetime = lifetime
    life.offset = offset == 0 ? nil : .microseconds(offset)
    // Who reads without a key must know it too.
    life.isRenewable = isRenewable
    life.sent = sent.wall
    return life
  }

  /// Whether a renewal makes the session live on; nothing has to where no end is known.
  var isRenewable: Bool { lifetime == nil || proof.renewable?.renewal(jar: jar) != nil }

  /// How far the server's clock is from ours, in microseconds: what was known where no answer shows
  /// anything else.
  private func offset(kept: Int64) -> Int64 {
    guard let offset, LifeClock.isNoticeable(offset - .microseconds(kept)) else { return kept }
    return offset.microseconds
  }
}

extension Outcome {
  /// Which endpoints the server has moved, for `discovery.changed`; `nil` for none.
  var moved: DiscoveryChanged? {
    changedEndpoints.isEmpty ? nil : DiscoveryChanged(endpoints: changedEndpoints)
  }
}
