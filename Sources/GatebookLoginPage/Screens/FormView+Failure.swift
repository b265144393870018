internal import Gatebook

extension FormView {
  /// Shows a failure of the login: at the field that it belongs to, else above the form.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - refusal: What the server said of the answer.
  mutating func take(_ error: GatebookError, _ refusal: LoginForm.Refusal) {
    mistakes = [:]
    failure = nil
    let text = Self.text(of: error)
    let names = Self.fields(of: error).filter { name in fields.contains { $0.name == name } }
    guard let name = names.first else {
      failure = (text, error)
      return
    }
    mistakes[name] = .refused(
      text, server: refusal.words, attemptsLeft: refusal.attemptsLeft)
  }

  /// Whether a person can mend a failure: by the form, or by trying again.
  func canMend(_ error: GatebookError) -> Bool {
    switch error.code {
    case .storageBusy: true
    case .configurationInvalid: fields.contains { $0.name == error.setting }
    case let code: !code.isOfStorage && !code.rawValue.hasPrefix("key.")
    }
  }

  /// Asks for the client's secret, which the server has turned out to want.
  mutating func askClientSecret() {
    (mistakes, failure) = ([:], nil)
    let name = LoginForm.clientSecretName
    if !fields.contains(where: { $0.name == name }) {
      let place = fields.firstIndex { $0.name == LoginForm.savingName } ?? fields.endIndex
      fields.insert(.clientSecret, at: place)
    }
    mistakes[name] = .known(.clientSecretWanted)
  }

  /// The fields that a failure can belong to, the best first.
  private static func fields(of error: GatebookError) -> [String] {
    switch error.code {
    case .credentialsRefused, .challengeBlocked, .sessionRefused: [LoginField.passwordName]
    case .networkUnreachable: ["server"]
    case .tlsUntrusted, .tlsKeyChanged: ["acceptsCertificates"]
    case .loginCleartext: ["secure"]
    case .configurationInvalid: error.setting.map { [$0] } ?? []
    default: []
    }
  }

  /// What the page says of a failure.
  static func text(of error: GatebookError) -> PageText {
    switch error.code {
    case .credentialsRefused, .sessionRefused: .wrongCredentials
    case .challengeBlocked: .blocked
    case .networkUnreachable: .unreachable
    case .serverUnavailable: .serverInTrouble
    case .serverRefused, .tokenRefused, .codeRefused, .scopeMissing: .serverRefused
    case .contentUnexpected, .serverMoved, .stateMismatch: .unexpectedAnswer
    case .tlsUntrusted: .untrustedCertificate
    case .tlsKeyChanged: .changedCertificate
    case .loginCleartext: .cleartext
    case .loginUnprovable, .challengeUnhandled: .unprovable
    case .identityMismatch: .anotherUser
    case .configurationInvalid, .originForeign: .wrongSettings
    case .loginInProgress: .inProgress
    case .challengeTimedOut: .tooLate
    case .storageFull: .bookFull
    case .outcomeUnknown: .outcomeUnknown
    case let code where code.isOfStorage || code.rawValue.hasPrefix("key."): .bookUnusable
    default: .otherFailure
    }
  }
}
