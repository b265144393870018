internal import GatebookEvents

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

/// What a web-service call is for: the same answer means another failure in each.
enum LiferayPurpose {
  /// A login by HTTP Basic.
  case basicLogin
  /// A login by form and cookies.
  case cookieLogin
  /// Reading who the bearer of fresh tokens is.
  case tokenLogin
  /// Asking whether a session still lives.
  case verification
}

/// A 64-bit number of a portal: a JSON number in 6.2, a decimal text in 7.
enum LiferayNumber {
  /// The number; `nil` for anything else.
  static func read(_ value: FactValue) -> Int64? {
    value.integer ?? value.text.flatMap { Int64($0) }
  }
}
