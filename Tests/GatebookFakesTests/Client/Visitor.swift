import GatebookFakes

/// A client of a fake portal that keeps cookies in the simplest way: by name.
final class Visitor {
  private let port: UInt16
  var cookies: [String: String] = [:]
  /// The CSRF token of the last page that had one.
  private(set) var token: String?

  init(_ portal: FakeLiferayPortal, cookies: [String: String] = [:]) {
    port = portal.port
    self.cookies = cookies
  }

  /// Sends one request with the cookies and takes those of the answer.
  func ask(
    _ method: String, _ target: String, _ fields: [(String, String)] = [], body: String = ""
  ) -> Answer? {
    var fields = fields
    if !cookies.isEmpty {
      let text = cookies.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
      fields.append(("Cookie", text.joined(separator: "; ")))
    }
    guard let answer = RawClient.ask(port, method, target, fields, body: body) else { return nil }
    for line in answer.values("Set-Cookie") {
      let name = String(line.prefix { $0 != "=" })
      cookies[name] = line.contains("Max-Age=0;") ? nil : answer.cookie(name)
    }
    if let start = answer.text.firstRange(of: "Liferay.authToken = '")?.upperBound {
      token = String(answer.text[start...].prefix { $0 != "'" })
    }
    return answer
  }

  /// Follows redirects from an answer to the end, ten at most.
  func follow(_ answer: Answer?) -> Answer? {
    var answer = answer
    for _ in 1...10 {
      guard let location = answer?["Location"] else { return answer }
      answer = ask("GET", location)
    }
    return answer
  }

  /// Posts the login form, as a browser would encode it.
  func submit(_ name: String, _ password: String, _ more: String = "") -> Answer? {
    let body = "login=\(Self.encoded(name))&password=\(Self.encoded(password))\(more)"
    return ask(
      "POST", "/c/portal/login", [("Content-Type", "application/x-www-form-urlencoded")],
      body: body)
  }

  /// Logs in by the form and follows to the final page.
  @discardableResult
  func logIn(_ user: FakePortalUser) -> Answer? {
    cookies["COOKIE_SUPPORT"] = "true"
    return follow(submit(user.emailAddress, user.password))
  }

  /// Sends a JSON-WS call with the session's cookies and token.
  func call(_ body: String, token: String? = nil, query: String = "") -> Answer? {
    let token = (token ?? self.token).map { [("X-CSRF-Token", $0)] } ?? []
    return ask(
      "POST", "/api/jsonws/invoke\(query)",
      [("Content-Type", "application/json; charset=utf-8")] + token, body: body)
  }

  /// Sends a JSON-WS call with Basic and nothing else.
  func call(_ body: String, as name: String, _ password: String) -> Answer? {
    let credentials = "Basic \(Self.base64("\(name):\(password)"))"
    return ask(
      "POST", "/api/jsonws/invoke",
      [("Content-Type", "application/json"), ("Authorization", credentials)], body: body)
  }

  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber { return String(character) }
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }

  static func base64(_ text: String) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array(text.utf8)
    return stride(from: 0, to: bytes.count, by: 3).map { start in
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padding = 3 - group.count
      let bits = (group + Array(repeating: 0, count: padding)).reduce(0) { $0 << 8 | Int($1) }
      let text = [18, 12, 6, 0].map { digits[bits >> $0 & 63] }
      return String(text.dropLast(padding)) + String(repeating: "=", count: padding)
    }.joined()
  }
}
