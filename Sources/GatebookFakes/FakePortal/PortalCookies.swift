internal import Gatebook

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
