/// What a status alone says about the answer to a login, before anybody looks at its body.
///
/// Other than ``StatusClass``: 404 and 408 are refusals like any other of 400 to 499.
enum FCSDKStatus {
  /// 2xx.
  case accepted
  /// 301, 302, 303, 307, 308: name and password are not sent a second time.
  case redirected
  /// 401, whatever its body is.
  case unauthorised
  /// 429, 500 and above.
  case unavailable
  /// 400 and all others.
  case refused

  /// Classifies a status.
  init(_ status: Int) {
    self =
      switch status {
      case 200...299: .accepted
      case 301, 302, 303, 307, 308: .redirected
      case 401: .unauthorised
      case 429, 500...: .unavailable
      default: .refused
      }
  }
}
