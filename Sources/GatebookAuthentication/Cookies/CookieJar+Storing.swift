internal import GatebookEvents

extension CookieJar {
  /// Puts a cookie in, replaces its predecessor or deletes it (RFC 6265 section 5.3 steps 11, 12).
  mutating func store(_ cookie: Cookie, isFromSecure: Bool, at now: Timestamp) {
    guard isFromSecure || !cookies.contains(where: { isCovered($0, by: cookie) }) else { return }
    let old = cookies.firstIndex { cookie.replaces($0) }
    if cookie.isExpired(at: now) {
      if let old { cookies.remove(at: old) }
      return
    }
    var new = cookie
    new.changed = serial
    guard let old else {
      new.created = serial
      serial += 1
      cookies.append(new)
      return
    }
    // The same cookie again is no change: else each answer would be one.
    guard !new.hasContent(of: cookies[old]) else { return }
    new.created = cookies[old].created
    serial += 1
    cookies[old] = new
  }

  /// What became of this jar since it was another one, done to what a third one is now: somebody
  /// else took cookies at the same time.
  package func rebased(from base: CookieJar, onto other: CookieJar) -> CookieJar {
    guard other != base else { return self }
    var result = other
    for old in base.cookies where !cookies.contains(where: { $0.replaces(old) }) {
      result.cookies.removeAll { $0.replaces(old) }
    }
    for cookie in cookies where !base.cookies.contains(where: { cookie.hasContent(of: $0) }) {
      result.store(cookie, isFromSecure: true, at: Timestamp(rawValue: .min))
    }
    result.evict()
    return result
  }

  /// Whether a cookie from http would hide a Secure one of its name: then it is ignored (6265bis
  /// section 5.7, "leave secure cookies alone").
  private func isCovered(_ old: Cookie, by new: Cookie) -> Bool {
    let areRelated =
      old.domain == new.domain || old.domain.hasSuffix(".\(new.domain)")
      || new.domain.hasSuffix(".\(old.domain)")
    return old.isSecure && old.name.utf8.elementsEqual(new.name.utf8) && areRelated
      && CookieScope.path(new.path, matches: old.path)
  }

  /// Drops cookies until no more than 180 are left; the expired ones are gone already.
  ///
  /// 6265bis section 5.7 goes by domains with too many cookies and by last use. A jar that is read
  /// does not change, so last use is not known; instead goes, from the domain with the most cookies,
  /// first what is not Secure, then what has not changed for longest.
  mutating func evict() {
    while cookies.count > Self.maximumCount {
      let counts = Dictionary(cookies.map { ($0.domain, 1) }, uniquingKeysWith: +)
      let ranks = cookies.map { (-(counts[$0.domain] ?? 0), $0.isSecure ? 1 : 0, $0.changed) }
      guard let victim = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { return }
      cookies.remove(at: victim)
    }
  }
}
