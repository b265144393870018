/// The logins that meet faults.
enum FaultedFlow: String, CaseIterable, Sendable {
  case openIDCode, openIDDevice, openIDPassword, openIDClient
  /// With tokens that are bound to a key, and with a request that is pushed.
  case openIDBound, openIDPushed
  case oauth2Code, oauth2Device, oauth2Password, oauth2Client, oauth1
  /// Whose proof is the server's introspection of the token (RFC 7662).
  case oauth2Introspected
  case liferayBasic, liferayCookie, liferayOAuth1, liferayOAuth2Redirect, liferayOAuth2Password
  case digest, form, fcsdk, mobileFirst

  /// Those whose session has a refresh token that rotates.
  static let rotating: [FaultedFlow] =
    identified + [.liferayOAuth2Redirect, .liferayOAuth2Password]

  /// Those at the fake identity server.
  private static let identified: [FaultedFlow] = [
    .openIDCode, .openIDDevice, .openIDPassword, .openIDBound, .openIDPushed, .oauth2Code,
    .oauth2Device, .oauth2Password, .oauth2Introspected,
  ]

  /// Those whose renewal looks first where the server is, once its description is old.
  static let discovering: [FaultedFlow] = [
    .openIDCode, .openIDDevice, .openIDPassword, .openIDBound, .openIDPushed,
  ]

  /// Those that tell their server of a logout.
  static let revoking: [FaultedFlow] =
    identified + [.openIDClient, .oauth2Client, .liferayCookie, .fcsdk]

  /// Those that differ from others only in how they come by their tokens: to their sessions one
  /// fault of each kind is enough.
  static let alike: [FaultedFlow] = [.oauth2Device, .oauth2Password, .oauth2Client]

  /// Those that know their endpoints by hand alone.
  static let byHand: [FaultedFlow] = [
    .oauth2Code, .oauth2Device, .oauth2Password, .oauth2Client, .oauth2Introspected,
  ]

  /// Those that sign each request again; a signature is good once (RFC 5849 section 3.2).
  static let signing: [FaultedFlow] = [.liferayOAuth1, .oauth1]
}
