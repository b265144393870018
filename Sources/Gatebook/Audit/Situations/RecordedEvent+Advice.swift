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
