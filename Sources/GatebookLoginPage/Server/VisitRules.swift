internal import Gatebook
internal import GatebookCrypto

/// Who may see the login page: pure rules over one request.
///
/// The address of the page has a launch token. The first visit with it gets a cookie, and from then
/// on only that cookie opens the page.
struct VisitRules: Sendable {
  /// What is decided about a visit.
  enum Verdict: Equatable, Sendable {
    /// It sees the page; the first visit gets the cookie.
    case admitted(isFirst: Bool)
    /// It sees nothing of the page, and the app hears of it.
    case refused(VisitRefused.Reason)
    /// It sees nothing, and nobody hears of it: browsers ask for such things unbidden.
    case ignored
  }

  /// The cookie's name.
  static let cookieName = "gatebook-login"

  /// The host as a browser names it.
  let host: String
  /// The only path.
  let path: String
  private let token: [UInt8]
  private let cookie: [UInt8]
  /// Whether the launch token was used.
  private(set) var isSpent = false

  /// Makes rules with a new path, token and cookie.
  ///
  /// - Parameters:
  ///   - port: The port of 127.0.0.1.
  ///   - random: At least 64 random bytes.
  init(port: UInt16, random: [UInt8]) {
    host = "127.0.0.1:\(port)"
    path = "/" + Hex.encode(random[0..<16])
    token = Array(Hex.encode(random[16..<32]).utf8)
    cookie = Array(Hex.encode(random[32..<64]).utf8)
  }

  /// What to open; it works once.
  var address: String { "http://\(host)\(path)?\(String(decoding: token, as: UTF8.self))" }

  /// The field that gives the cookie.
  ///
  /// Ports share their cookies (RFC 6265 section 8.5), so the cookie is for this path alone.
  var cookieField: HTTPField {
    let value = String(decoding: cookie, as: UTF8.self)
    return HTTPField(
      "Set-Cookie", "\(Self.cookieName)=\(value); Path=\(path); HttpOnly; SameSite=Strict")
  }

  /// Decides about a visit.
  ///
  /// - Parameter request: What was sent.
  /// - Returns: The verdict; an admitted first visit has spent the token.
  mutating func judge(_ request: PageRequest) -> Verdict {
    guard !request.visitor.isOtherUser else { return .refused(.user) }
    guard !request.visitor.hasLeft else { return .ignored }
    guard !request.method.isEmpty else { return .refused(.malformed) }
    guard request.only("Host") == host else { return .refused(.host) }
    guard request.path == path else {
      return Self.unbidden.contains(request.path) ? .ignored : .refused(.path)
    }
    let isKnown = request.cookies(Self.cookieName).contains {
      ConstantTime.equal(Array($0.utf8), cookie)
    }
    switch request.method {
    case "GET":
      if isKnown { return .admitted(isFirst: false) }
      guard let query = request.query, ConstantTime.equal(Array(query.utf8), token) else {
        return .refused(.cookie)
      }
      guard !isSpent else { return .refused(.spent) }
      // A browser that only looks ahead must not use the token up.
      guard !Self.looksAhead(request) else { return .ignored }
      isSpent = true
      return .admitted(isFirst: true)
    case "POST":
      guard isFromPage(request) else { return .refused(.origin) }
      return isKnown ? .admitted(isFirst: false) : .refused(.cookie)
    default: return .ignored
    }
  }

  /// Whether a form was sent by the page itself.
  ///
  /// A page that passes no address on sends the origin `null` (Fetch Standard section 3.2); then
  /// the browser's own word counts (Fetch Metadata, `Sec-Fetch-Site`).
  private func isFromPage(_ request: PageRequest) -> Bool {
    let site = request.only("Sec-Fetch-Site")
    guard site == nil || site == "same-origin" else { return false }
    switch request.only("Origin") {
    case "http://\(host)": return true
    case "null": return site == "same-origin"
    default: return false
    }
  }

  private static func looksAhead(_ request: PageRequest) -> Bool {
    ["Sec-Purpose", "Purpose", "X-Moz"].contains { name in
      request.fields.values(of: name).contains { $0.lowercased().hasPrefix("pre") }
    }
  }

  /// What browsers ask for without being told to.
  private static let unbidden: Set<String> = [
    "/favicon.ico", "/.well-known/appspecific/com.chrome.devtools.json",
  ]
}
