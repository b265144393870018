internal import GatebookCrypto
internal import GatebookEvents

/// What a server gives to a device that asks for a login (RFC 8628 section 3.2).
struct DeviceAuthorisation: Sendable {
  /// What the application shows to the server; secret.
  let deviceCode: Secret
  /// What the person enters.
  let userCode: String
  /// Where the person enters it.
  let page: HTTPURL
  /// The same page with the code in it.
  let completePage: HTTPURL?
  /// How long the codes are good for, from the answer on.
  let lifetime: Duration
  /// How long to wait between two questions.
  let interval: Duration

  /// How long codes are good for if the server does not say, though it must.
  private static let usualLifetime = Duration.seconds(600)
  /// The default of section 3.2.
  private static let usualInterval = Duration.seconds(5)

  /// Reads the answer of the device authorization endpoint; `nil` for anything else.
  init?(_ reply: HTTPReply) {
    // An older draft, which is still found, has `verification_url`.
    guard reply.status == 200, let members = JSONDocument.read(reply.body)?.object,
      let deviceCode = members["device_code"]?.text, !deviceCode.isEmpty,
      let userCode = members["user_code"]?.text, Self.isPrintable(userCode),
      let page = ["verification_uri", "verification_url"].lazy
        .compactMap({ members[$0]?.text.flatMap { HTTPURL($0) } }).first
    else { return nil }
    self.deviceCode = Secret(deviceCode)
    self.userCode = userCode
    self.page = page
    completePage = members["verification_uri_complete"]?.text.flatMap { HTTPURL($0) }
    lifetime = members["expires_in"].flatMap { OAuth2Tokens.seconds($0) } ?? Self.usualLifetime
    // "The minimum amount of time in seconds": a part of a second is waited for as a whole one.
    let interval = members["interval"].flatMap { OAuth2Tokens.seconds($0, rounded: .up) }
    self.interval = max(.seconds(1), interval ?? Self.usualInterval)
  }

  /// A code is read from a screen: a few characters, none of which could control a terminal.
  private static func isPrintable(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy {
        $0.properties.generalCategory != .control && $0.properties.generalCategory != .format
      }
  }

  /// The code as the app shows it, so long after it was asked for.
  func code(at age: Duration) -> DeviceCode {
    DeviceCode(
      userCode: userCode, page: page, completePage: completePage,
      lifetime: max(.zero, lifetime - age))
  }
}

extension DeviceAuthorisation: StoredRecord {
  /// The codes and their life.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    completePage = facts.optional("completePage", kept?.completePage)
    deviceCode = try facts.required("deviceCode", kept?.deviceCode)
    interval = try facts.required("intervalUs", kept?.interval)
    lifetime = try facts.required("lifetimeUs", kept?.lifetime)
    page = try facts.required("page", kept?.page)
    userCode = try facts.required("userCode", kept?.userCode)
  }
}

/// The code that the user enters on another device to allow a login (RFC 8628 section 3.3).
public struct DeviceCode: Hashable, Sendable {
  /// The code; show it unchanged.
  ///
  /// It is secret until the login has ended, so it is not logged.
  public let userCode: String
  /// The page on which the user enters it; short enough to type.
  public let page: HTTPURL
  /// The same page with the code filled in, to open or to show as a QR code; `nil` if the server
  /// has none.
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
