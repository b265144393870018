package import GatebookEvents

extension CookieJar {
  /// The facts of the event `cookies.changed`, without any value.
  ///
  /// A server chooses names and paths, and a path may name a person (`/home/ada`). So names stand in
  /// the clear only if they are 1 to 64 letters, digits, `_`, `.` and `-`, paths only if they are
  /// `/`; where one is left out, the whole list is sealed beside it, in the same order.
  ///
  /// - Parameters:
  ///   - now: What has expired by then is left out.
  ///   - leaks: Names that may not stand in the clear whatever they look like.
  /// - Returns: `cookies` in the clear, and to be sealed.
  package func told(
    at now: Timestamp, besides leaks: Set<String> = []
  ) -> (data: Facts, personal: Facts?) {
    let all = described(at: now)
    guard let list = all.list else { return (["cookies": all], nil) }
    let clear = FactValue.list(
      list.map { .object(($0.object ?? Facts()).withoutServersWords(besides: leaks)) })
    return (["cookies": clear], clear == all ? nil : ["cookies": all])
  }

  /// The cookies' names.
  package var names: [String] { cookies.map(\.name) }

  /// What may be told about the cookies, for the event `cookies.changed`: never a value.
  ///
  /// Shape: a list in the order of domain, path and name, of objects with `domain`, `expires`
  /// (microseconds since 1970; absent for session cookies), `flags` (of `hostOnly`, `httpOnly`,
  /// `secure` and one of `strict`, `lax`, `none`, in this order), `name` and `path`.
  ///
  /// - Parameter now: What has expired by then is left out.
  /// - Returns: The list.
  package func described(at now: Timestamp) -> FactValue {
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
      "domain": .text(domain), "flags": .list(flags.map(FactValue.text)),
      "name": .text(name.cut(to: 256)), "path": .text(path.cut(to: 256)),
    ]
    facts["expires"] = expires.map { .integer($0.rawValue) }
    return facts
  }
}

extension Facts {
  /// Without a name or a path that only a server can have made up.
  fileprivate func withoutServersWords(besides leaks: Set<String>) -> Facts {
    var facts = self
    let name = facts["name"]?.text ?? ""
    if !GatebookError.isPlainName(name) || leaks.contains(name) { facts["name"] = nil }
    if facts["path"] != "/" { facts["path"] = nil }
    return facts
  }
}
