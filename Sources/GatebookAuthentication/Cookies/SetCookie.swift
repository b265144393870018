internal import GatebookEvents

/// One `Set-Cookie` field taken apart (RFC 6265 section 5.2), before anybody asks whether the
/// server may set such a cookie.
struct SetCookie {
  let name: String
  let value: String
  private(set) var expires: Timestamp?
  /// Seconds; negative ones are in the past.
  private(set) var maximumAge: Int64?
  /// Lower case, without a leading dot; `nil` when it is absent or empty.
  private(set) var domain: String?
  private(set) var hasDomain = false
  /// `nil` when it is absent or does not start with a slash: then the default path counts.
  private(set) var path: String?
  private(set) var hasPath = false
  private(set) var isSecure = false
  private(set) var isHTTPOnly = false
  private(set) var sameSite: Cookie.SameSite?

  /// The most bytes of name and value together; larger cookies are refused.
  static let maximumSize = 4096
  /// The most bytes of an attribute's value; larger attributes are ignored.
  static let maximumAttributeSize = 1024

  /// Reads a field's value; `nil` for a cookie without a name, with control characters or larger
  /// than a cookie may be.
  ///
  /// A pair without `=` has no name: section 5.2 ignores it, and sent back it could pass for any
  /// other cookie.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    // "If the set-cookie-string contains a %x00-08 / %x0A-1F / %x7F character: abort these steps
    // and ignore the set-cookie-string entirely" (6265bis section 5.6).
    guard bytes.allSatisfy({ $0 == .tab || !$0.isControl }) else { return nil }
    let parts = bytes.split(separator: .semicolon, omittingEmptySubsequences: false)
    guard let pair = parts.first, let equals = pair.firstIndex(of: .equals) else { return nil }
    let name = pair[..<equals].trimmed
    let value = pair[(equals + 1)...].trimmed
    guard !name.isEmpty, name.count + value.count <= Self.maximumSize else { return nil }
    self.name = name.text
    self.value = value.text
    for part in parts.dropFirst() {
      let mark = part.firstIndex(of: .equals) ?? part.endIndex
      let value = part[mark...].dropFirst().trimmed
      guard value.count <= Self.maximumAttributeSize else { continue }
      take(part[..<mark].trimmed.lowercaseText, value)
    }
  }

  /// Takes an attribute; of several of a name the last one that can be read counts.
  private mutating func take(_ attribute: String, _ value: ArraySlice<UInt8>) {
    switch attribute {
    case "expires": expires = CookieDate.parse(value) ?? expires
    case "max-age": maximumAge = Self.seconds(value) ?? maximumAge
    case "domain":
      hasDomain = true
      let name = value.first == .dot ? value.dropFirst() : value
      // "If the attribute-value is empty, the behavior is undefined. However, the user agent
      // SHOULD ignore the cookie-av entirely" (section 5.2.3).
      domain = name.isEmpty ? domain : name.lowercaseText
    case "path":
      hasPath = true
      path = value.first == .slash ? value.text : nil
    case "secure": isSecure = true
    case "httponly": isHTTPOnly = true
    case "samesite": sameSite = Cookie.SameSite(rawValue: value.lowercaseText)
    default: break
    }
  }

  /// Section 5.2.2: a minus or a digit, then digits only; what no `Int64` holds counts as its end.
  private static func seconds(_ value: ArraySlice<UInt8>) -> Int64? {
    let isNegative = value.first == .hyphen
    let digits = isNegative ? value.dropFirst() : value
    guard !digits.isEmpty, digits.allSatisfy(\.isDigit) else { return nil }
    return Int64(value.text) ?? (isNegative ? .min : .max)
  }

  /// When the cookie ends; `nil` for never.
  ///
  /// `Max-Age` wins over `Expires` (section 5.3 step 3).
  func end(at now: Timestamp) -> Timestamp? {
    guard let maximumAge else { return expires }
    guard maximumAge > 0 else { return Timestamp(rawValue: .min) }
    let (age, isTooLong) = maximumAge.multipliedReportingOverflow(by: 1_000_000)
    let (end, isTooLate) = now.rawValue.addingReportingOverflow(age)
    return Timestamp(rawValue: isTooLong || isTooLate ? .max : end)
  }
}
