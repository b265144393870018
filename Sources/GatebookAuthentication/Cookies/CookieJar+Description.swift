public import GatebookEvents

extension CookieJar {
  /// What may be told about the cookies, for the event `cookies.changed`: never a value.
  ///
  /// Shape: a list in the order of domain, path and name, of objects with `domain`, `expires`
  /// (microseconds since 1970; absent for session cookies), `flags` (of `hostOnly`, `httpOnly`,
  /// `secure` and one of `strict`, `lax`, `none`, in this order), `name` and `path`.
  ///
  /// - Parameter now: What has expired by then is left out.
  /// - Returns: The list.
  public func described(at now: Timestamp) -> FactValue {
    let kept = cookies.filter { !$0.isExpired(at: now) }
    return .list(kept.sorted { $0.isListed(before: $1) }.map { .object($0.publicFacts) })
  }
}

extension Cookie {
  fileprivate func isListed(before other: Cookie) -> Bool {
    (domain, path, name, created) < (other.domain, other.path, other.name, other.created)
  }

  fileprivate var publicFacts: Facts {
    var flags: [String] = []
    if isHostOnly { flags.append("hostOnly") }
    if isHTTPOnly { flags.append("httpOnly") }
    if isSecure { flags.append("secure") }
    if let sameSite { flags.append(sameSite.rawValue) }
    var facts: Facts = [
      "domain": .text(domain), "flags": .list(flags.map(FactValue.text)), "name": .text(name),
      "path": .text(path),
    ]
    facts["expires"] = expires.map { .integer($0.rawValue) }
    return facts
  }
}
