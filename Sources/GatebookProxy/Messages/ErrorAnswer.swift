package import Gatebook

/// What a program gets where no answer of the server can be given: a status, and the error as JSON.
package struct ErrorAnswer: Sendable, Equatable {
  package let status: Int
  package let body: [UInt8]
  package let fields: [HTTPField]

  /// The answer to a request that is not forwarded.
  package init(_ refusal: ProxyRefusal) {
    var extra: [HTTPField] = []
    switch refusal {
    case .capability:
      extra = [HTTPField("WWW-Authenticate", "Bearer realm=\"gatebook proxy\"")]
    case .rate: extra = [HTTPField("Retry-After", "1")]
    case .connect, .trace:
      extra = [HTTPField("Allow", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS")]
    default: break
    }
    self.init(refusal.status, refusal.error, extra)
  }

  /// The answer to a request that got none from the server.
  ///
  /// - Parameters:
  ///   - error: Why.
  ///   - hasMore: Whether more of its body was to come.
  package init(_ error: GatebookError, hasMore: Bool = false) {
    var extra: [HTTPField] = []
    if let wait = error.retryAfter {
      extra = [HTTPField("Retry-After", "\(max(1, wait.components.seconds))")]
    }
    // Some methods read the body first, and only so much of it.
    let isTooLong = hasMore && error.code == .limitExceeded
    self.init(isTooLong ? 413 : Self.status(of: error.code), error, extra)
  }

  private init(_ status: Int, _ error: GatebookError, _ extra: [HTTPField]) {
    self.status = status
    var facts: Facts = ["code": .text(error.code.rawValue), "message": .text(error.message)]
    if !error.kept.isEmpty { facts["kept"] = .text(error.kept) }
    if !error.remedy.isEmpty { facts["remedy"] = .text(error.remedy) }
    body = (["error": .object(facts)] as Facts).encoded + [0x0A]
    fields =
      [
        .json, HTTPField("Cache-Control", "no-store"),
        HTTPField("Gatebook-Error", error.code.rawValue),
      ] + extra
  }

  /// Which status says best to any program what a failure means for it.
  static func status(of code: FailureCode) -> Int {
    switch code {
    case .originForeign, .agentRefused: return 403
    case .configurationInvalid: return 500
    case .serverUnavailable, .cancelled, .outcomeUnknown: return 503
    default: break
    }
    return switch code.rawValue.prefix(while: { $0 != "." }) {
    // Only a login helps.
    case "session", "token", "credentials", "login", "challenge", "scope", "code": 401
    // The book cannot be used now.
    case "storage", "key", "precondition": 503
    // The server was not reached, is not trusted, or its answer is of no use.
    default: 502
    }
  }
}
