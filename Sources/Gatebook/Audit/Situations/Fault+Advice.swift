extension Fault {
  /// Whether the server asks for credentials in no way that could be answered.
  var isUnanswerable: Bool { self == .scheme }

  /// What it calls for; `nil` for what the failure's code calls for.
  var advice: Advice? {
    switch name {
    case "idToken.exp", "idToken.nbf", "idToken.iat-in-the-future", "idToken.iat-too-long-ago",
      "idToken.auth_time-in-the-future", "clock":
      .checkClock
    case "idToken.acr", "idToken.auth_time-missing", "idToken.auth_time-too-long-ago": .logIn
    case "idToken.signature", "idToken.kid", "idToken.key.use", "idToken.key.size",
      "idToken.alg.none", "idToken.crit", "idToken.parts", "idToken.header", "idToken.content",
      "idToken.missing", "dpop", "rspauth", "scheme", "scheme.weaker", "userinfo", "userinfo-sub":
      .askServer
    case "client.files", "client.missing", "client.refused": .giveCertificate
    case "account", "label": .logIn
    case "idToken.sub-changed": nil
    case "idToken.size": .askServer
    case "tls.handshake": .askServer
    case "check", "description", "endpoint.missing", "issuer", "keys", "tls.missing",
      _ where idTokenRule != nil:
      .checkSettings
    default: nil
    }
  }
}
