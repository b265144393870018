package import GatebookEvents

/// The cookies of one account, by RFC 6265.
///
/// A value: the book keeps it encrypted, and a login's state machine carries it. Only servers add
/// cookies. Beyond RFC 6265, from its successor (6265bis): the prefixes `__Secure-` and `__Host-`,
/// no Secure cookie from http, limits of size. An empty value is a value: it is kept and sent (RFC
/// 6265 sections 5.2 to 5.4).
package struct CookieJar: Hashable, Sendable, CustomStringConvertible {
  /// The most `Set-Cookie` fields of one answer that are looked at.
  static let maximumFields = 64
  /// The most cookies that a jar keeps.
  static let maximumCount = 180

  /// In the order of their creation.
  var cookies: [Cookie] = []
  /// The next serial number for `Cookie.created` and `Cookie.changed`.
  var serial: Int64 = 1

  /// Makes an empty jar.
  package init() {}

  /// Whether there is no cookie.
  package var isEmpty: Bool { cookies.isEmpty }

  /// How many cookies there are, no names and no values.
  package var description: String { "cookie jar (\(cookies.count))" }

  /// Takes the `Set-Cookie` fields of an answer, in their order, and drops what has expired.
  ///
  /// Only the first 64 fields count. Above 180 cookies some go, see `evict`.
  ///
  /// - Parameters:
  ///   - reply: The answer, a redirect included.
  ///   - url: The URL that was asked.
  ///   - now: When the answer came.
  ///   - suffixes: Public suffixes; without a list a `Domain` must equal the host.
  /// - Returns: Whether anything changed.
  package mutating func receive(
    _ reply: HTTPReply, from url: HTTPURL, at now: Timestamp, suffixes: (any PublicSuffixes)?
  ) -> Bool {
    let before = cookies
    cookies.removeAll { $0.isExpired(at: now) }
    for text in reply.fields.values(of: "Set-Cookie").prefix(Self.maximumFields) {
      guard let field = SetCookie(text),
        let cookie = Cookie(field, from: url, at: now, suffixes: suffixes)
      else { continue }
      store(cookie, isFromSecure: url.origin.isSecure, at: now)
    }
    evict()
    return cookies != before
  }

  /// The value of the `Cookie` field for a request, longer paths first, then older cookies; `nil`
  /// when no cookie fits.
  ///
  /// - Parameters:
  ///   - url: What is asked for.
  ///   - now: What has expired by then is left out.
  ///   - extras: Cookies that come first where the jar has none of their name.
  /// - Returns: Names and values.
  package func header(
    for url: HTTPURL, at now: Timestamp, extras: KeyValuePairs<String, String> = [:]
  ) -> String? {
    let cookies = cookies(for: url, at: now)
    let missing = extras.filter { extra in !cookies.contains { $0.name == extra.key } }
    let pairs =
      missing.map { "\($0.key)=\($0.value)" } + cookies.map { "\($0.name)=\($0.value)" }
    return pairs.isEmpty ? nil : pairs.joined(separator: "; ")
  }

  /// The cookies that are sent with a request, in the order in which they are sent.
  package func cookies(for url: HTTPURL, at now: Timestamp) -> [Cookie] {
    // Sorting by path alone would not do: the order of the array need not be stable.
    cookies.filter { !$0.isExpired(at: now) && $0.isSent(to: url) }.sorted {
      ($1.path.utf8.count, $0.created) < ($0.path.utf8.count, $1.created)
    }
  }

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
  /// 6265bis section 5.7 decides by domains with too many cookies and by last use. Reading does not
  /// change a jar, so last use is not known. Instead cookies of the domain with the most cookies
  /// are removed: first those that are not Secure, then those that have not changed for longest.
  mutating func evict() {
    while cookies.count > Self.maximumCount {
      let counts = Dictionary(cookies.map { ($0.domain, 1) }, uniquingKeysWith: +)
      let ranks = cookies.map { (-(counts[$0.domain] ?? 0), $0.isSecure ? 1 : 0, $0.changed) }
      guard let victim = ranks.indices.min(by: { ranks[$0] < ranks[$1] }) else { return }
      cookies.remove(at: victim)
    }
  }

  /// The facts of the event `cookies.changed`, without any value.
  ///
  /// A server chooses names and paths, and a path may name a person (`/home/ada`). So names are in
  /// the clear only if they are 1 to 64 letters, digits, `_`, `.` and `-`, and paths only if they
  /// are `/`. If one is left out, the whole list is stored encrypted beside it, in the same order.
  ///
  /// - Parameters:
  ///   - now: What has expired by then is left out.
  ///   - leaks: Names that must not be in the clear in any form.
  /// - Returns: The list in the clear, and the whole one if it must be encrypted.
  package func told(
    at now: Timestamp, besides leaks: Set<String> = []
  ) -> (clear: FactValue, sealed: FactValue?) {
    let all = described(at: now)
    guard let list = all.list else { return (all, nil) }
    let clear = FactValue.list(
      list.map { .object(($0.object ?? Facts()).withoutServersWords(besides: leaks)) })
    return (clear, clear == all ? nil : all)
  }

  /// The cookies' names.
  package var names: [String] { cookies.map(\.name) }

  /// What may be told about the cookies, for the event `cookies.changed`: never a value.
  ///
  /// Shape: a list in the order of domain, path and name. Its objects have `domain`, `expires`
  /// (microseconds since 1970; absent for session cookies), `flags`, `name` and `path`. The flags
  /// are `hostOnly`, `httpOnly`, `secure` and one of `strict`, `lax`, `none`, in this order.
  ///
  /// - Parameter now: What has expired by then is left out.
  /// - Returns: The list.
  package func described(at now: Timestamp) -> FactValue {
    let kept = cookies.filter { !$0.isExpired(at: now) }
    return .list(kept.sorted { $0.isListed(before: $1) }.map { .object($0.publicFacts) })
  }
}

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
