/// The logins that meet faults.
enum FaultedFlow: String, CaseIterable, Sendable {
  case openIDCode, openIDDevice, openIDPassword, openIDClient, oauth2Code
  case liferayBasic, liferayCookie, liferayOAuth1, liferayOAuth2Redirect, liferayOAuth2Password
  case digest, form, fcsdk, mobileFirst

  /// Those at the fake identity server whose session has a refresh token that rotates.
  static let rotating: [FaultedFlow] = [.openIDCode, .openIDDevice, .openIDPassword, .oauth2Code]

  /// Those that tell their server of a logout.
  static let revoking: [FaultedFlow] = rotating + [.openIDClient, .liferayCookie, .fcsdk]
}
