/// What a person enters on another device to allow a login (RFC 8628 section 3.3).
public struct DeviceCode: Hashable, Sendable {
  /// The code, to be shown as it is; it is secret until the login has ended, so it is not logged.
  public let userCode: String
  /// The page on which the person enters it; short enough to be typed.
  public let page: HTTPURL
  /// The same page with the code in it, to be opened or shown as a QR code; `nil` if the server has
  /// none.
  public let completePage: HTTPURL?
  /// How long the code is good for from now on.
  public let lifetime: Duration

  /// Makes a code.
  public init(userCode: String, page: HTTPURL, completePage: HTTPURL?, lifetime: Duration) {
    self.userCode = userCode
    self.page = page
    self.completePage = completePage
    self.lifetime = lifetime
  }
}
