internal import Gatebook

extension PortalState {
  /// The live session of a request, which counts as seen; `nil` without one.
  mutating func session(of request: LoopbackRequest) -> FakePortalSession? {
    endOldSessions()
    guard let id = request.cookie("JSESSIONID"), sessions[id] != nil else { return nil }
    sessions[id]?.lastSeen = now.boot
    return sessions[id]
  }

  /// Begins a session with an id and a token of its own.
  mutating func beginSession(of userID: Int64?) -> FakePortalSession {
    let session = FakePortalSession(
      id: issue(32, of: "0123456789ABCDEF"),
      csrfToken: issue(8, of: Self.alphabet), userID: userID,
      lastSeen: now.boot)
    sessions[session.id] = session
    return session
  }

  /// Ends the sessions of a user, or all there are.
  mutating func endSessions(of userID: Int64?) {
    sessions = sessions.filter { userID != nil && $0.value.userID != userID }
  }

  /// Whether a request carries a session's CSRF token, as a field or as `p_auth`.
  func carriesToken(_ request: LoopbackRequest, of session: FakePortalSession) -> Bool {
    let tokens = [
      request.fields["X-CSRF-Token"], request.queryValue("p_auth"), request.formValue("p_auth"),
    ]
    return tokens.contains(session.csrfToken)
  }

  private mutating func endOldSessions() {
    let limit = now.boot - .seconds(1800)
    sessions = sessions.filter { $0.value.lastSeen > limit }
  }

  static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// A themed page of a session; no token leaves its line out.
  static func themed(token: String?, _ text: String, _ form: PortalForm? = nil) -> LoopbackReply {
    let script = token.map { "<script>\n\tLiferay.authToken = '\($0)';\n</script>\n" } ?? ""
    return page.page(text, head: script, body: form?.html ?? "")
  }
}

/// The `Set-Cookie` fields of a fake portal.
struct PortalCookies {
  private static let year = Duration.seconds(31_536_000)

  private var fields: LoopbackFields = [:]
  private let now: Timestamp

  init(at now: Timestamp) {
    self.now = now
  }

  /// The session's cookie.
  mutating func setSession(_ id: String) {
    fields.append("Set-Cookie", "JSESSIONID=\(id); Path=/; HttpOnly")
  }

  /// A cookie for as long as the browser runs, or for a year.
  mutating func set(_ name: String, _ value: String, forYear isRemembered: Bool = false) {
    // A value is bytes without blanks, quotes, commas, semicolons and backslashes (RFC 6265
    // section 4.1.1).
    let value = PercentText.encode(value, keeping: "@+/=:!'()*&$")
    let life = "; Max-Age=31536000; Expires=\(DateField.text(now + Self.year))"
    fields.append("Set-Cookie", "\(name)=\(value); Path=/\(isRemembered ? life : "")")
  }

  /// The cookies of any page, which are valid for a year.
  mutating func setCommon() {
    let expiry = DateField.text(now + Self.year)
    fields.append("Set-Cookie", "COOKIE_SUPPORT=true; Path=/; Expires=\(expiry)")
    fields.append("Set-Cookie", "GUEST_LANGUAGE_ID=en_US; Path=/; Expires=\(expiry)")
  }

  /// Takes a cookie back.
  mutating func expire(_ name: String) {
    let past = DateField.text(Timestamp(rawValue: 10_000_000))
    fields.append("Set-Cookie", "\(name)=; Path=/; Max-Age=0; Expires=\(past)")
  }

  /// Puts the cookies on an answer.
  func on(_ reply: LoopbackReply) -> LoopbackReply {
    var reply = reply
    reply.fields.all += fields.all
    return reply
  }
}
