extension RecordedEvent {
  /// What a login that it began calls for, where its failure calls for that.
  ///
  /// What a person began is tried again by the person: nothing is there yet that could be renewed.
  func advice(onLogin advice: Advice) -> Advice {
    switch advice {
    case .tryAgain: isSilent ? .logInWithSaved : .logIn
    case .wait: isSilent ? .logInWithSavedLater : .logInLater
    default: advice
    }
  }

  /// What the failure that it tells of calls for.
  var failureAdvice: Advice? {
    if isStrayRedirect { return nil }
    let failure = failure
    if let advice = failure.fault?.advice { return advice }
    if isKind(.loginFailed), failure.fault?.lacksClientCertificate == true {
      return .giveCertificate
    }
    if isKind(.loginFailed), failure.fault?.isOfSettings == true { return .checkSettings }
    return switch failure.code {
    case nil: nil
    case .credentialsRefused where failure.isRefusedOtherwise: .askServer
    case .credentialsRefused, .tokenRefused, .codeRefused, .sessionRefused, .challengeTimedOut,
      .challengeCancelled, .stateMismatch, .cancelled:
      .logIn
    case .serverRefused where isKind(.loginFailed), .scopeMissing: .askServer
    case .challengeUnhandled: .answerChallenge
    case .challengeBlocked: .wait
    case .tlsUntrusted, .tlsKeyChanged: .checkServer
    case .identityMismatch: .checkIdentity
    case .configurationInvalid, .loginUnprovable, .loginCleartext, .serverMoved,
      .originForeign:
      .checkSettings
    default: .tryAgain
    }
  }
}

extension TrustDecided {
  /// What the certificate that it refuses calls for: one that is only out of date is no question of
  /// which server answers.
  var advice: Advice { isOutOfDate ? .askServer : .checkServer }
}

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
