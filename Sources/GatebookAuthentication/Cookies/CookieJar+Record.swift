package import GatebookEvents

extension CookieJar {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    guard let next = record["next"]?.integer, let list = record["cookies"]?.list,
      list.count <= Self.maximumCount
    else { return nil }
    serial = next
    for value in list {
      guard let cookie = value.object.flatMap(Cookie.init(record:)),
        cookie.created <= cookie.changed, cookie.changed < next,
        cookies.last.map({ $0.created < cookie.created }) ?? true
      else { return nil }
      cookies.append(cookie)
    }
    // Whatever else a record holds, a jar would lose it.
    guard self.record == record else { return nil }
  }

  /// All cookies with their values, for the vault.
  ///
  /// Shape: `cookies`, a list of objects in the order of creation, and `next`, the next serial
  /// number.
  package var record: Facts {
    ["cookies": .list(cookies.map { .object($0.record) }), "next": .integer(serial)]
  }
}

extension Cookie {
  fileprivate init?(record: Facts) {
    guard let name = record["name"]?.text, let value = record["value"]?.text,
      let domain = record["domain"]?.text, let path = record["path"]?.text,
      let isHostOnly = record["hostOnly"]?.bool, let isSecure = record["secure"]?.bool,
      let isHTTPOnly = record["httpOnly"]?.bool, let created = record["created"]?.integer,
      let changed = record["changed"]?.integer, !name.isEmpty
    else { return nil }
    self.name = name
    self.value = value
    self.domain = domain
    self.path = path
    expires = record["expires"]?.integer.map(Timestamp.init(rawValue:))
    self.isHostOnly = isHostOnly
    self.isSecure = isSecure
    self.isHTTPOnly = isHTTPOnly
    sameSite = record["sameSite"]?.text.flatMap(SameSite.init(rawValue:))
    self.created = created
    self.changed = changed
  }

  fileprivate var record: Facts {
    var facts: Facts = [
      "changed": .integer(changed), "created": .integer(created), "domain": .text(domain),
      "hostOnly": .bool(isHostOnly), "httpOnly": .bool(isHTTPOnly), "name": .text(name),
      "path": .text(path), "secure": .bool(isSecure), "value": .text(value),
    ]
    facts["expires"] = expires.map { .integer($0.rawValue) }
    facts["sameSite"] = sameSite.map { .text($0.rawValue) }
    return facts
  }
}
