/// The code that the user enters on another device to allow a login (RFC 8628 section 3.3).
public struct DeviceCode: Hashable, Sendable {
  /// The code; show it unchanged.
  ///
  /// It is secret until the login has ended, so it is not logged.
  public let userCode: String
  /// The page on which the user enters it; short enough to type.
  public let page: HTTPURL
  /// The same page with the code filled in, to open or to show as a QR code; `nil` if the server has none.
  public let completePage: HTTPURL?
  /// How long the code is still valid.
  public let lifetime: Duration

  /// Makes a code.
  public init(userCode: String, page: HTTPURL, completePage: HTTPURL?, lifetime: Duration) {
    self.userCode = userCode
    self.page = page
    self.completePage = completePage
    self.lifetime = lifetime
  }
}
