import Testing

@testable import Gatebook

/// What each failure of a renewal means: `oauth-oidc-http`, the closed set of terminal answers.
@Suite struct RenewalFailureTests {
  private func failure(
    _ code: FailureCode, serverCode: String? = nil, isUnanswered: Bool = false,
    isSpent: Bool = true, attempt: Int64 = 1, failuresBefore: Int64 = 0,
    retryAfter: Duration? = nil, random: UInt8 = 0
  ) -> RenewalFailure {
    RenewalFailure(
      GatebookError(code, "It failed.", remedy: "Wait.", serverCode: serverCode),
      isUnanswered: isUnanswered, isSpent: isSpent, attempt: attempt,
      failuresBefore: failuresBefore, retryAfter: retryAfter, random: random)
  }

  private func passwordFailure(
    _ code: FailureCode, status: Int? = nil, isUnsent: Bool = false, failuresBefore: Int64 = 0,
    serverCode: String? = nil
  ) -> RenewalFailure {
    RenewalFailure(
      GatebookError(
        code, "It failed.", remedy: "Wait.", status: status, serverCode: serverCode),
      isUnanswered: false, isSpent: false, attempt: 1, failuresBefore: failuresBefore,
      sendsPassword: true,
      isUnsent: isUnsent, random: 0)
  }

  @Test func `a password waits for a server, and not for the network`() {
    let first = RenewalFailure.deferred(.milliseconds(400), isDemanded: false)
    #expect(passwordFailure(.serverUnavailable, status: 503) == first)
    #expect(passwordFailure(.networkUnreachable) == first)
    #expect(
      passwordFailure(.networkUnreachable, isUnsent: true, failuresBefore: 9)
        == .deferred(.zero, isDemanded: false))
  }

  @Test func `a password is not sent again after an unclear refusal`() {
    #expect(passwordFailure(.serverRefused, status: 403) == .halted)
    #expect(passwordFailure(.serverRefused, status: 200, serverCode: "login_required") == .halted)
    // The page of a strange network.
    #expect(
      passwordFailure(.serverRefused, status: 200)
        == .deferred(.milliseconds(400), isDemanded: false))
  }

  @Test func `what this machine cannot send waits, and a wrong setting longer`() {
    func failure(_ setting: String?, isUnsent: Bool) -> RenewalFailure {
      var error = GatebookError(.configurationInvalid, "It failed.", remedy: "Mend it.")
      error.setting = setting
      return RenewalFailure(
        error, isUnanswered: false, isSpent: true, attempt: 1, failuresBefore: 0,
        isUnsent: isUnsent, random: 0)
    }
    #expect(failure(nil, isUnsent: true) == .deferred(.milliseconds(400), isDemanded: false))
    let first = RenewalFailure.deferred(.milliseconds(400), isDemanded: false)
    #expect(failure("tokenURL", isUnsent: true) == first)
    #expect(failure(nil, isUnsent: false) == first)
    // After many failures: a minute for what this machine cannot send, a quarter of an hour for a
    // setting.
    func late(_ setting: String?) -> RenewalFailure {
      var error = GatebookError(.configurationInvalid, "It failed.", remedy: "Mend it.")
      error.setting = setting
      return RenewalFailure(
        error, isUnanswered: false, isSpent: true, attempt: 1, failuresBefore: 40,
        isUnsent: true, random: 0)
    }
    #expect(late(nil) == .deferred(.seconds(48), isDemanded: false))
    #expect(late("tokenURL") == .deferred(.seconds(720), isDemanded: false))
  }

  @Test(
    arguments: [
      (.tokenRefused, "invalid_grant", .refused), (.tokenRefused, nil, .refusedWithoutReason),
      (.credentialsRefused, nil, .refused), (.sessionRefused, nil, .refused),
      (.identityMismatch, nil, .identityMismatch),
    ] as [(FailureCode, String?, EndReason)])
  func `a terminal answer ends the session with its reason`(
    code: FailureCode, serverCode: String?, reason: EndReason
  ) {
    #expect(failure(code, serverCode: serverCode) == .terminal(reason))
  }

  @Test func `a refusal of what was sent twice says so`() {
    #expect(
      failure(.tokenRefused, serverCode: "invalid_grant", attempt: 2)
        == .terminal(.refusedAfterUnknownOutcome))
  }

  @Test(
    arguments: [
      .networkUnreachable, .serverUnavailable, .serverRefused, .serverMoved, .contentUnexpected,
      .configurationInvalid, .tlsUntrusted, .tlsKeyChanged, .limitExceeded, .storageFull,
      .storageBusy, .storageUnreadable, .cancelled, .challengeCancelled, .challengeTimedOut,
      .challengeUnhandled, .scopeMissing, .codeRefused,
    ] as [FailureCode], [false, true])
  func `no other code ends a session`(code: FailureCode, isUnanswered: Bool) {
    let failure = failure(code, isUnanswered: isUnanswered, failuresBefore: 3)
    if case .terminal = failure { Issue.record("\(code) ended a session.") }
  }

  @Test func `a lost answer makes a token uncertain, but not a password`() {
    #expect(failure(.networkUnreachable, isUnanswered: true) == .unanswered)
    #expect(
      failure(.networkUnreachable, isUnanswered: true, isSpent: false)
        == .deferred(.milliseconds(400), isDemanded: false))
  }

  @Test func `a refresh token is tried again after every refusal that is not final`() {
    for code in [FailureCode.configurationInvalid, .serverRefused] {
      var waits: [Duration] = []
      for failuresBefore in 0...20 {
        guard
          case .deferred(let wait, isDemanded: false) = failure(
            code, failuresBefore: Int64(failuresBefore), random: 255)
        else {
          Issue.record("\(code) is not tried again.")
          return
        }
        waits.append(wait)
      }
      #expect(waits == waits.sorted())
      #expect(waits.first == .milliseconds(600))
      #expect(waits.last == .seconds(1080), "15 minutes, and a fifth of that")
    }
  }

  @Test func `a password is not sent again where a setting is wrong`() {
    #expect(passwordFailure(.configurationInvalid) == .halted)
    #expect(passwordFailure(.serverRefused, status: 500, failuresBefore: 1) == .halted)
  }

  @Test func `the wait of the server is the least`() {
    #expect(
      failure(.serverUnavailable, retryAfter: .seconds(30))
        == .deferred(.seconds(30), isDemanded: true))
    #expect(
      failure(.serverUnavailable, failuresBefore: 20, retryAfter: .seconds(1))
        == .deferred(.seconds(48), isDemanded: true))
  }
}
