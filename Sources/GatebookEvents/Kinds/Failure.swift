/// What went wrong, as an event says it.
package struct Failure: Hashable, Sendable {
  /// The failure; a newer version may know more of them.
  package var code: FailureCode?
  /// The server's own error code.
  package var error: String?
  /// What says more than the code: see "Faults" in "Event format".
  package var fault: Fault?
  /// The status of the answer.
  package var status: Int64?

  package init() {}

  /// What an error says in an event.
  package init(_ error: GatebookError) {
    code = error.code
    self.error = error.serverCode
    fault = error.fault.map(Fault.init)
    status = error.status.map(Int64.init)
  }

  /// The same, as far as there is an error.
  package init(_ error: GatebookError?) {
    if let error { self.init(error) } else { self.init() }
  }
}

extension Failure: FactsRecord {
  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("code", &code)
    facts.code("error", &error)
    facts.code("fault", &fault)
    facts.code("status", &status)
  }

  /// The rule that was broken and what the server said: ` (400 invalid_grant)`; empty for neither.
  package var said: String {
    let rule = fault?.meaning() == nil ? nil : fault?.idTokenRule
    let words = [rule, status.map(String.init), error].compactMap { $0 }
    return words.isEmpty ? "" : " (\(words.joined(separator: " ")))"
  }

  /// What went wrong and what the server said, as the second half of a sentence.
  ///
  /// - Parameters:
  ///   - kind: The kind of the event that tells of it.
  ///   - isHalted: Whether the server refused the saved credentials.
  ///   - isAfterLostAnswer: Whether the answer to an earlier use of what was sent was lost.
  /// - Returns: The words.
  package func words(
    of kind: EventKind, isHalted: Bool = false, isAfterLostAnswer: Bool = false
  ) -> String {
    if isAfterLostAnswer, code == .credentialsRefused {
      return
        "the server rejected the saved credentials, which may have been used up by a login whose answer "
        + "was lost" + said
    }
    if let meaning = fault?.meaning() { return meaning + said }
    guard let code else {
      return status.map { "the server answered \($0)" } ?? "no reason was recorded"
    }
    return meaning(of: code, kind, isHalted) + said
  }

  private func meaning(of code: FailureCode, _ kind: EventKind, _ isHalted: Bool) -> String {
    let isLogin = kind == .loginFailed
    return switch code {
    case .challengeCancelled
    where ["access_denied", "authorization_declined"].contains(error):
      FailureCode.deniedOnPage
    case .contentUnexpected where isLogin && fault?.isOfSettings == true:
      "the answer did not follow the protocol: the address may belong to another service"
    case .loginUnprovable where kind == .sessionUnverified: "its answer does not prove the login"
    case .configurationInvalid where [404, 405, 410].contains(status):
      "the server has no such endpoint at that address"
    case .identityMismatch where isLogin: FailureCode.anotherUser
    case .sessionRefused where isLogin && isHalted:
      "the server rejected the saved credentials, which may have been changed there"
    case .credentialsRefused where isRefusedOtherwise: "the server rejected the login"
    case .serverRefused where isLogin: "the server rejected the login"
    default: code.meaning
    }
  }

  /// Whether a login was refused for another reason than its name or password: RFC 6749 section 5.2
  /// has `invalid_grant` for those.
  package var isRefusedOtherwise: Bool {
    error.map { !["invalid_grant", "invalid_credentials"].contains($0) } ?? false
  }

  /// Whether the server is not trusted.
  package var isOfTrust: Bool { code == .tlsUntrusted || code == .tlsKeyChanged }

  /// What is said where the request has left and its answer is missing.
  var doubt: String {
    fault?.isOfAnswer == true ? " The server may have processed it." : ""
  }
}
