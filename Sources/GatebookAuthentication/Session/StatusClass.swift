/// What a status alone says about an answer: every status falls into exactly one class.
enum StatusClass {
  /// 2xx.
  case accepted
  /// 301, 302, 303, 307, 308: the answer is elsewhere.
  case redirected
  /// 401.
  case unauthorised
  /// 403.
  case forbidden
  /// 404, 405, 410, 415: what was asked for is not at this URL.
  case misplaced
  /// 408, 425, 429, 5xx: the server is in trouble; asking again later may help.
  case unavailable
  /// All others.
  case refused

  /// Classifies a status.
  init(_ status: Int) {
    self =
      switch status {
      case 200...299: .accepted
      case 301, 302, 303, 307, 308: .redirected
      case 401: .unauthorised
      case 403: .forbidden
      case 404, 405, 410, 415: .misplaced
      case 408, 425, 429, 500...599: .unavailable
      default: .refused
      }
  }
}
