import Gatebook
import GatebookTestSupport
import Testing

@testable import GatebookLoginPage

@Suite struct VisitRulesTests {
  private static let host = "127.0.0.1:4711"
  private static let rules = VisitRules(port: 4711, random: SeededRandom().bytes(64))
  private static let path = rules.path
  private static var token: String {
    String(rules.address.drop { $0 != "?" }.dropFirst())
  }
  private static var cookie: String {
    String(rules.cookieField.value.prefix { $0 != ";" })
  }

  private static func visit(
    _ method: String = "GET", _ path: String = Self.path, query: String? = nil,
    host: [String] = [Self.host], cookie: String? = nil, _ fields: [String: String] = [:],
    isOtherUser: Bool = false
  ) -> PageRequest {
    var all = host.map { HTTPField("Host", $0) } + fields.map { HTTPField($0.key, $0.value) }
    if let cookie { all.append(HTTPField("Cookie", cookie)) }
    return PageRequest(
      method, path, query: query, fields: all,
      visitor: PageRequest.Visitor(isOtherUser: isOtherUser, program: "browser"))
  }

  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let request: PageRequest
    let verdict: VisitRules.Verdict

    init(_ name: String, _ request: PageRequest, _ verdict: VisitRules.Verdict) {
      testDescription = name
      self.request = request
      self.verdict = verdict
    }
  }

  static let known = VisitRules.Verdict.admitted(isFirst: false)
  static let first = VisitRules.Verdict.admitted(isFirst: true)

  static let hosts = [
    Row("right host", visit(query: token), first),
    Row("localhost", visit(query: token, host: ["localhost:4711"]), .refused(.host)),
    Row("other port", visit(query: token, host: ["127.0.0.1:4712"]), .refused(.host)),
    Row("no port", visit(query: token, host: ["127.0.0.1"]), .refused(.host)),
    Row("other site", visit(query: token, host: ["evil.example"]), .refused(.host)),
    Row("other site, own port", visit(query: token, host: ["evil.example:4711"]), .refused(.host)),
    Row("no host", visit(query: token, host: []), .refused(.host)),
    Row("host twice", visit(query: token, host: [host, host]), .refused(.host)),
    Row(
      "host twice, one foreign", visit(host: [host, "evil.example"], cookie: cookie),
      .refused(.host)),
  ]

  static let paths = [
    Row("other path", visit("GET", "/other", query: token), .refused(.path)),
    Row("root", visit("GET", "/"), .refused(.path)),
    Row("longer path", visit("GET", "\(path)/", query: token), .refused(.path)),
    Row("upper case", visit("GET", path.uppercased(), query: token), .refused(.path)),
    Row("cookie at another path", visit("GET", "/other", cookie: cookie), .refused(.path)),
    Row("favicon", visit("GET", "/favicon.ico"), .ignored),
    Row(
      "developer tools",
      visit("GET", "/.well-known/appspecific/com.chrome.devtools.json"), .ignored),
    Row("favicon of another host", visit("GET", "/favicon.ico", host: ["a"]), .refused(.host)),
  ]

  static let tokens = [
    Row("no token", visit(), .refused(.cookie)),
    Row("wrong token", visit(query: "x"), .refused(.cookie)),
    Row("empty token", visit(query: ""), .refused(.cookie)),
    Row("half a token", visit(query: String(token.dropLast())), .refused(.cookie)),
    Row("token and more", visit(query: "\(token)&a"), .refused(.cookie)),
    Row("cookie", visit(cookie: cookie), known),
    Row("cookie and token", visit(query: token, cookie: cookie), known),
    Row("cookie and query", visit(query: "wait", cookie: cookie), known),
    Row("wrong cookie", visit(cookie: "gatebook-login=1"), .refused(.cookie)),
    Row("empty cookie", visit(cookie: "gatebook-login="), .refused(.cookie)),
    Row("other cookie", visit(cookie: "other\(cookie)"), .refused(.cookie)),
    Row("two cookies", visit(cookie: "gatebook-login=1; \(cookie)"), known),
    Row("cookie among others", visit(cookie: "a=b;\(cookie); c"), known),
    Row("wrong cookie, right token", visit(query: token, cookie: "gatebook-login=1"), first),
  ]

  static let methods = [
    Row("HEAD", visit("HEAD", query: token), .ignored),
    Row("HEAD with cookie", visit("HEAD", cookie: cookie), .ignored),
    Row("PUT", visit("PUT", cookie: cookie), .ignored),
    Row("OPTIONS", visit("OPTIONS", cookie: cookie), .ignored),
    Row("lower case", visit("get", query: token), .ignored),
    Row("no method", .malformed(.unknown), .refused(.malformed)),
    Row("other user", visit(query: token, isOtherUser: true), .refused(.user)),
    Row("other user with cookie", visit(cookie: cookie, isOtherUser: true), .refused(.user)),
    Row("prefetch", visit(query: token, ["Sec-Purpose": "prefetch"]), .ignored),
    Row("prerender", visit(query: token, ["Sec-Purpose": "prefetch;prerender"]), .ignored),
    Row("old prefetch", visit(query: token, ["X-Moz": "prefetch"]), .ignored),
    Row("preview", visit(query: token, ["Purpose": "preview"]), .ignored),
    Row("prefetch with cookie", visit(cookie: cookie, ["Sec-Purpose": "prefetch"]), known),
  ]

  private static func form(
    _ origin: String?, site: String? = nil, cookie: String? = Self.cookie
  ) -> PageRequest {
    var fields: [String: String] = [:]
    fields["Origin"] = origin
    fields["Sec-Fetch-Site"] = site
    return visit("POST", cookie: cookie, fields)
  }

  static let origins = [
    Row("own origin", form("http://\(host)"), known),
    Row("own origin, same site", form("http://\(host)", site: "same-origin"), known),
    Row("own origin, another site", form("http://\(host)", site: "cross-site"), .refused(.origin)),
    Row("null", form("null"), .refused(.origin)),
    Row("null from the page", form("null", site: "same-origin"), known),
    Row("null from elsewhere", form("null", site: "cross-site"), .refused(.origin)),
    Row("null from a near site", form("null", site: "same-site"), .refused(.origin)),
    Row("foreign", form("https://evil.example"), .refused(.origin)),
    Row("https", form("https://\(host)"), .refused(.origin)),
    Row("localhost", form("http://localhost:4711"), .refused(.origin)),
    Row("other port", form("http://127.0.0.1:4712"), .refused(.origin)),
    Row("no origin", form(nil), .refused(.origin)),
    Row("no origin, same site", form(nil, site: "same-origin"), .refused(.origin)),
    Row("without cookie", form("http://\(host)", cookie: nil), .refused(.cookie)),
    Row("wrong cookie", form("http://\(host)", cookie: "gatebook-login=1"), .refused(.cookie)),
  ]

  @Test(arguments: hosts + paths + tokens + methods + origins)
  func `only the person's own browser sees the page`(_ row: Row) {
    var rules = Self.rules
    let verdict = rules.judge(row.request)
    #expect(verdict == row.verdict)
    #expect(rules.isSpent == (row.verdict == Self.first))
  }

  @Test func `the token is good for one visit`() {
    var rules = Self.rules
    let visits: [(PageRequest, VisitRules.Verdict)] = [
      (Self.visit(query: Self.token), Self.first),
      (Self.visit(query: Self.token), .refused(.spent)),
      (Self.visit(query: "x"), .refused(.cookie)),
      // The cookie of the first visit still opens it, with the token or without.
      (Self.visit(query: Self.token, cookie: Self.cookie), Self.known),
      (Self.visit(cookie: Self.cookie), Self.known),
    ]
    for (visit, expected) in visits {
      let verdict = rules.judge(visit)
      #expect(verdict == expected)
    }
  }

  @Test func `every reason for a refusal occurs`() {
    let rows = Self.hosts + Self.paths + Self.tokens + Self.methods + Self.origins
    var found: Set<VisitRefused.Reason> = [.spent]
    for row in rows {
      if case .refused(let reason) = row.verdict { found.insert(reason) }
    }
    #expect(found == Set(VisitRefused.Reason.allCases))
  }

  @Test func `the cookie is for this path and no script`() {
    let value = Self.rules.cookieField.value
    for part in ["Path=\(Self.path)", "HttpOnly", "SameSite=Strict"] {
      #expect(value.contains("; \(part)"))
    }
    #expect(!value.contains("Domain"))
    #expect(Self.path.count == 33)
  }

  @Test func `another page has another path, token and cookie`() {
    let other = VisitRules(port: 4711, random: SeededRandom(seed: 2).bytes(64))
    #expect(other.path != Self.path)
    #expect(other.cookieField.value != Self.rules.cookieField.value)
    #expect(other.address.suffix(32) != Self.rules.address.suffix(32))
  }
}
