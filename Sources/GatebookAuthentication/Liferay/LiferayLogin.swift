/// How to log in to a portal: `.basic(…)`, `.cookie(…)`, `.oauth(…)`, `.oauth2Redirect(…)` or
/// `.oauth2Password(…)`; each mode has its own function.
///
/// A session never changes its mode automatically.
///
/// Source: Login Screenlet, `loginMode`.
public struct LiferayLogin: Sendable {
  let method: @Sendable (LiferayPortal) -> LoginMethod
}

extension LoginMethod {
  /// The family of all Liferay modes: the same person is the same account in each.
  static let liferayFamily = "liferay"

  /// A login to a Liferay portal.
  ///
  /// - Parameters:
  ///   - portal: The portal.
  ///   - login: The mode with its user name and password.
  /// - Returns: The method, for one login.
  public static func liferay(_ portal: LiferayPortal, _ login: LiferayLogin) -> LoginMethod {
    login.method(portal)
  }
}
