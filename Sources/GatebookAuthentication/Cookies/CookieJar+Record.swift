package import GatebookEvents

extension CookieJar: StoredRecord {
  package static var isClosed: Bool { true }

  /// All cookies with their values, in the order of creation, and the next serial number.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    cookies = try facts.required("cookies", kept?.cookies)
    serial = try facts.required("next", kept?.serial)
    let next = serial
    guard cookies.count <= Self.maximumCount,
      cookies.allSatisfy({ $0.created <= $0.changed && $0.changed < next }),
      zip(cookies, cookies.dropFirst()).allSatisfy({ $0.created < $1.created })
    else { throw Unreadable() }
  }
}

extension Cookie: StoredRecord {
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    changed = try facts.required("changed", kept?.changed)
    created = try facts.required("created", kept?.created)
    domain = try facts.required("domain", kept?.domain)
    expires = facts.optional("expires", kept?.expires)
    isHostOnly = try facts.required("hostOnly", kept?.isHostOnly)
    isHTTPOnly = try facts.required("httpOnly", kept?.isHTTPOnly)
    name = try facts.required("name", kept?.name)
    path = try facts.required("path", kept?.path)
    sameSite = facts.optional("sameSite", kept?.sameSite)
    isSecure = try facts.required("secure", kept?.isSecure)
    value = try facts.required("value", kept?.value)
    if name.isEmpty { throw Unreadable() }
  }
}

extension Cookie.SameSite: Storable {}
