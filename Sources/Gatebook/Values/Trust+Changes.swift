extension Trust {
  /// The policy with further exceptions, each once.
  func accepting(_ more: [TrustException]) -> Trust {
    var trust = self
    for exception in more where !trust.exceptions.contains(exception) {
      trust.exceptions.append(exception)
    }
    return trust
  }

  /// The single keys that it names.
  var keys: Set<KeyHash> { Set(exceptions.map(\.key) + pins) }

  /// The policy without these keys.
  func without(_ keys: Set<KeyHash>) -> Trust { keys.reduce(self) { $0.revoking($1) } }

  /// The policy without a key, or without all single keys.
  func revoking(_ key: KeyHash?) -> Trust {
    var trust = self
    trust.exceptions.removeAll { key == nil || $0.key == key }
    trust.pins.removeAll { key == nil || $0 == key }
    return trust
  }
}

extension Append.VaultChange {
  /// What an account trusts from now on; the default leaves no entry.
  static func keeping(_ trust: Trust, of account: AccountID) -> Append.VaultChange {
    guard trust != .system else { return .remove(account, purpose: Purpose.trust) }
    return .set(account, purpose: Purpose.trust, generation: 1, content: trust.record.encoded)
  }
}

extension Origin {
  /// Whether what goes there can be read on the way.
  var isCleartext: Bool { !isSecure && !isLoopback }
}

extension OriginAllowed {
  /// An origin.
  init(_ origin: Origin) {
    self.init(host: origin.host, port: Int64(origin.port), scheme: origin.scheme)
  }
}
