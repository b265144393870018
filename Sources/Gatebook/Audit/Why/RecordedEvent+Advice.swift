extension RecordedEvent {
  /// What a login that it began calls for, where its failure calls for that.
  ///
  /// What a person began is tried again by the person: nothing is there yet that could be renewed.
  func advice(onLogin advice: Advice) -> Advice {
    switch advice {
    case .tryAgain: data["interactive"]?.bool == false ? .logInWithSaved : .logIn
    case .wait: data["interactive"]?.bool == false ? .logInWithSavedLater : .logInLater
    default: advice
    }
  }

  /// What the certificate that it refuses calls for: one that is only out of date is no question of
  /// which server answers.
  var adviceOnCertificate: Advice {
    let defects = data["defects"]?.list?.compactMap(\.text) ?? []
    return defects.isEmpty || !Set(defects).isSubset(of: ["expired", "notYetValid"])
      ? .checkServer : .askServer
  }

  /// What the failure that it tells of calls for.
  var failureAdvice: Advice? {
    if isStrayRedirect { return nil }
    if let advice = fault?.advice { return advice }
    if isKind(.loginFailed), fault?.isUnshown == true { return .giveCertificate }
    if isKind(.loginFailed), fault?.isOfSettings == true { return .checkSettings }
    return switch data["code"]?.text.map({ FailureCode(rawValue: $0) }) {
    case nil: nil
    case .credentialsRefused where isRefusedOtherwise: .askServer
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
