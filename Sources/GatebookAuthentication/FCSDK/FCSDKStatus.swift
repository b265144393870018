/// What a status alone says about the answer to a login, before anybody looks at its body.
///
/// Other than ``StatusClass``: 408, 415 and 425 are refusals like any other of 400 to 499.
enum FCSDKStatus {
  /// 2xx.
  case accepted
  /// 301, 302, 303, 307, 308: name and password are not sent a second time.
  case redirected
  /// 401, whatever its body is.
  case unauthorised
  /// 404, 405, 410: the login is not at this path.
  case misplaced
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
      case 404, 405, 410: .misplaced
      case 429, 500...: .unavailable
      default: .refused
      }
  }
}
