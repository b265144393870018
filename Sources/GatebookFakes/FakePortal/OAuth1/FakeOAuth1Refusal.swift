/// Why an OAuth 1.0a request was refused, named as the problem reporting extension names it.
///
/// The bodies are inferred: a switch leaves them out.
enum FakeOAuth1Refusal: String, Error {
  case parameterAbsent = "parameter_absent"
  case parameterRejected = "parameter_rejected"
  case versionRejected = "version_rejected"
  case methodRejected = "signature_method_rejected"
  case consumerUnknown = "consumer_key_unknown"
  case tokenRejected = "token_rejected"
  case verifierInvalid = "verifier_invalid"
  case signatureInvalid = "signature_invalid"
  case timestampRefused = "timestamp_refused"
  case nonceUsed = "nonce_used"

  /// The answer: 401, and 400 for a time outside the window (inferred).
  func reply(_ switches: FakePortalSwitches) -> LoopbackReply {
    let is400 = self == .timestampRefused
    let body = switches.omitsOAuthProblem ? "" : "oauth_problem=\(rawValue)"
    let reply = LoopbackReply.text(
      body, type: "application/x-www-form-urlencoded", status: is400 ? 400 : 401)
    return is400 ? reply : reply.with("WWW-Authenticate", "OAuth realm=\"PortalRealm\"")
  }
}

/// What the token routes of OAuth 1.0a answer: pairs in the form encoding.
enum OAuth1Answer {
  /// The answer.
  static func reply(_ pairs: KeyValuePairs<String, String>) -> LoopbackReply {
    let text = pairs.map { "\($0.key)=\(PercentText.encode($0.value))" }.joined(separator: "&")
    return .text(
      text, type: "application/x-www-form-urlencoded", fields: ["Cache-Control": "no-store"])
  }
}
