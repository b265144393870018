package import Gatebook

/// Why a proxy does not forward a request; nothing of it was sent to the server.
package enum ProxyRefusal: String, Error, CaseIterable, Sendable {
  /// The message is not HTTP/1.1 by its grammar.
  case malformed
  /// It does not say clearly where its body ends.
  case framing
  /// The request line is too long.
  case targetTooLong
  /// The header is too long, or has too many fields.
  case headerTooLong
  /// It is of another version of HTTP.
  case version
  /// `Host` names another server.
  case host
  /// The target names another server.
  case target
  /// It asks for a tunnel.
  case connect
  /// Its answer would repeat the credentials.
  case trace
  /// It asks for another protocol on the connection.
  case upgrade
  /// It expects something that nobody knows.
  case expectation
  /// The capability of this run is missing or wrong.
  case capability
  /// Only reading is allowed.
  case readOnly
  /// The path is not among those that are allowed.
  case path
  /// Too many requests in a short time.
  case rate
  /// It took too long to come.
  case slow
  /// Another user's process has asked.
  case peer

  /// The status of the answer (RFC 9110 section 15).
  package var status: Int {
    switch self {
    case .malformed, .framing: 400
    case .capability: 401
    case .path, .readOnly, .peer: 403
    case .connect, .trace: 405
    case .slow: 408
    case .targetTooLong: 414
    case .expectation: 417
    case .host, .target: 421
    case .rate: 429
    case .headerTooLong: 431
    case .upgrade: 501
    case .version: 505
    }
  }

  /// Whether the connection can serve another request: not after one that is not
  /// understood, because nobody knows where the next begins.
  package var keepsConnection: Bool {
    switch self {
    case .malformed, .framing, .targetTooLong, .headerTooLong, .version, .connect, .slow, .peer,
      .upgrade:
      false
    case .host, .target, .trace, .expectation, .capability, .readOnly, .path, .rate: true
    }
  }

  /// What happened, and what helps.
  package var error: GatebookError {
    GatebookError(
      FailureCode(rawValue: "proxy.\(rawValue)"), message, kept: "Nothing was sent to the server.",
      remedy: remedy)
  }

  private var message: String {
    switch self {
    case .malformed: "The request is not valid HTTP/1.1."
    case .framing: "The request does not say clearly where its body ends."
    case .targetTooLong: "The request line has more than \(HeadScan.longestLine) bytes."
    case .headerTooLong:
      "The header has more than \(HeadScan.longestHead) bytes or \(HeadScan.mostFields) fields."
    case .version: "The proxy speaks HTTP/1.1 and HTTP/1.0 alone."
    case .host: "The field `Host` names another server than the proxy's."
    case .target: "The request's target names another server than the proxy's."
    case .connect: "The proxy makes no tunnels."
    case .trace: "The answer to this method would repeat the account's credentials."
    case .upgrade: "The proxy changes to no other protocol."
    case .expectation: "The proxy knows no expectation but `100-continue`."
    case .capability: "The capability of this proxy is missing or wrong."
    case .readOnly: "The proxy was started with `--read-only`."
    case .path: "The proxy was started with `--path`, which does not allow this path."
    case .rate: "The proxy was started with `--rate`, and more requests than that came."
    case .slow: "The request took too long to arrive."
    case .peer: "The proxy serves the programs of its own user alone."
    }
  }

  private var remedy: String {
    switch self {
    case .malformed, .framing: "Correct the program, or use another HTTP client."
    case .targetTooLong, .headerTooLong: "Send a shorter request."
    case .version: "Use HTTP/1.1."
    case .host, .target: "Start another proxy for that server with `gatebook proxy --to ORIGIN`."
    case .connect: "Send plain HTTP requests to the proxy's address, not through it as a tunnel."
    case .trace: "Use another method, such as OPTIONS."
    case .upgrade: "Send requests that need no other protocol."
    case .expectation: "Leave out the field `Expect`."
    case .capability:
      "Send the capability that `gatebook proxy` printed as `Authorization: Bearer CAPABILITY`."
    case .readOnly: "Use GET, HEAD or OPTIONS, or start another proxy without `--read-only`."
    case .path: "Ask for an allowed path, or start another proxy with it as `--path`."
    case .rate: "Try again after the time that `Retry-After` says."
    case .slow: "Send the request at once."
    case .peer: "Start a proxy as that user."
    }
  }
}
