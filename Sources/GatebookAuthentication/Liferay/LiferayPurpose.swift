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
