/// What the failure of a renewal means for its session: the closed set of rules, without I/O.
///
/// Only a terminal answer ends the renewal of a session; no failure of the network, no server in
/// trouble, no answer that cannot be read ever does (rule 1). <doc:WhatEndsASession> lists the
/// answers.
enum RenewalFailure: Equatable {
  /// The server refused for good.
  case terminal(EndReason)
  /// It is not known whether the server acted: the refresh token may be spent (rule 2).
  case unanswered
  /// Trying again may help after a time; the server may have named it.
  case deferred(Duration, isDemanded: Bool)
  /// A password got an unclear refusal, or a setting is wrong: it is not sent again unless somebody
  /// asks.
  case halted

  /// Judges a failure.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - isUnanswered: Whether the server may have acted on a request whose answer never came.
  ///   - isSpent: Whether the renewal uses up what it sent.
  ///   - attempt: Which use of the same refresh token it was, from 1.
  ///   - failuresBefore: How many renewals in a row failed before this one.
  ///   - sendsPassword: Whether the renewal sends a person's password: servers count those, and the
  ///     next one may lock the account.
  ///   - isUnsent: Whether nothing that counts has left this machine.
  ///   - retryAfter: How long the server wants to be left alone.
  ///   - random: Spreads the waits.
  init(
    _ error: GatebookError, isUnanswered: Bool, isSpent: Bool, attempt: Int64,
    failuresBefore: Int64, sendsPassword: Bool = false, isUnsent: Bool = false,
    retryAfter: Duration? = nil, random: UInt8
  ) {
    switch error.code {
    case .credentialsRefused, .sessionRefused, .tokenRefused:
      self = .terminal(Self.reason(error, attempt: attempt))
    case _ where error.isOfAnotherUser: self = .terminal(.identityMismatch)
    case _ where (isUnanswered || error.fault == Fault.answerUnreadable.name) && isSpent:
      self = .unanswered
    case _ where sendsPassword && Self.haltsPassword(error, failuresBefore, isUnsent: isUnsent):
      self = .halted
    // A password waits for the server alone: when the network is back it may be sent at once.
    case _ where sendsPassword && isUnsent: self = .deferred(.zero, isDemanded: false)
    default:
      self = .deferred(
        BackOff.wait(
          after: failuresBefore, random: random, demanded: retryAfter,
          limit: Self.isRefusal(error, isUnsent: isUnsent)
            ? BackOff.limitOfRefusals : BackOff.limit),
        isDemanded: retryAfter != nil)
    }
  }

  /// Whether a password is not sent again after a failure: servers count passwords.
  private static func haltsPassword(
    _ error: GatebookError, _ failuresBefore: Int64, isUnsent: Bool
  ) -> Bool {
    switch error.code {
    case .configurationInvalid: isOfSettings(error, isUnsent: isUnsent)
    // A code in the answer is the server's own word, whatever its status.
    case .serverRefused:
      failuresBefore > 0 || (400..<500).contains(error.status ?? 0) || error.serverCode != nil
    default: false
    }
  }

  /// Whether the server refuses, or a setting is wrong: that passes later than trouble does.
  private static func isRefusal(_ error: GatebookError, isUnsent: Bool) -> Bool {
    switch error.code {
    case .configurationInvalid: isOfSettings(error, isUnsent: isUnsent)
    // Such a 403 or 407 does not come from the server, but from a proxy.
    case .serverRefused: error.serverCode != nil || ![403, 407].contains(error.status)
    default: false
    }
  }

  /// What keeps this machine from sending, such as a library that cannot be opened, no server has
  /// said.
  private static func isOfSettings(_ error: GatebookError, isUnsent: Bool) -> Bool {
    !isUnsent || error.setting != nil
  }

  /// Whether one more try may help while somebody waits for it: nobody has refused anything.
  static func isTrouble(_ code: FailureCode) -> Bool {
    [.serverUnavailable, .networkUnreachable].contains(code)
  }

  /// Whether it ends the renewal.
  var isTerminal: Bool {
    if case .terminal = self { true } else { false }
  }

  /// What the failure of a login that was answered means, where nothing else is known of it.
  init(ofLogin error: GatebookError, use: Int64) {
    self.init(
      error, isUnanswered: false, isSpent: use > 0, attempt: max(1, use), failuresBefore: 0,
      random: 0)
  }

  /// Says in the event of a failed login with saved credentials what it means for the next one.
  ///
  /// - Parameters:
  ///   - failed: The event's facts.
  ///   - use: Which use it was of what is good for one; else 0.
  ///   - wasSent: Whether that has left this machine: what may be spent is sent once more, whatever
  ///     the answer to that is.
  func fill(_ failed: inout LoginFailed, use: Int64, wasSent: Bool) {
    switch self {
    case .terminal(let reason):
      failed.isHalted = true
      if use > 1 { failed.reason = reason }
    case .unanswered:
      failed.isUnanswered = true
      failed.isHalted = use >= SavedUse.maximumUses
    case .deferred where use > 1 && wasSent, .halted where use > 1 && wasSent:
      failed.isUnanswered = true
      failed.isHalted = true
    // No server has refused it.
    case .deferred(let wait, isDemanded: true): failed.retryAfter = wait
    case .deferred, .halted: break
    }
  }

  /// The failure with what led to it: who reads of a refusal must know that an answer was lost
  /// before.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - isLast: Whether a possibly used token was sent once more, and is not sent again
  ///     automatically.
  ///   - endsSession: Whether a terminal answer ended the session, and not only its renewal.
  /// - Returns: The failure, in other words where the session is not as before.
  func worded(
    _ error: GatebookError, isLast: Bool = false, endsSession: Bool = true
  ) -> GatebookError {
    guard case .terminal(let reason) = self else {
      guard isLast || self == .unanswered else { return error }
      return doubted(error, isLast: isLast)
    }
    var ended = error
    if reason == .refusedAfterUnknownOutcome {
      ended.message +=
        " An earlier answer was lost, so the refresh token may already have been used."
    }
    ended.kept =
      endsSession
      ? "The session has ended; the account, its attributes and its saved credentials are kept."
      : "The session is kept: its access token is used until it expires, or until the server refuses it."
    return ended
  }

  /// The failure of a renewal after which nobody knows whether what was sent is used up.
  private func doubted(_ error: GatebookError, isLast: Bool) -> GatebookError {
    var doubted = error
    doubted.kept =
      isLast
      ? "The session is kept until it expires. Its refresh token was sent twice and counts as used up."
      : "The session is kept, but its refresh token may be used up."
    if isLast {
      doubted.remedy =
        "Log in again, or try once more with `SessionBook.renewNow(_:evenIfUsedUp:)`, which may end the "
        + "session."
    } else if error.code == .limitExceeded {
      // There is nothing to ask less of.
      doubted.remedy = "Ask the server's administrator for a shorter answer."
    }
    return doubted
  }

  private static func reason(_ error: GatebookError, attempt: Int64) -> EndReason {
    if attempt > 1 { return .refusedAfterUnknownOutcome }
    // A refusal with an empty body may be about the client's secret in truth.
    return error.code == .tokenRefused && error.serverCode == nil ? .refusedWithoutReason : .refused
  }
}

/// Why a session is renewed, as `refresh.started` records it.
enum RenewalTrigger: String {
  /// Its known life is nearly over.
  case early
  /// It is over, or so nearly that a request waits for the renewal.
  case needed
  /// The server does not say whether its access token is good.
  case undecided
  /// Somebody asked for it.
  case asked
  /// Somebody asked for it even though what would be sent may be used up.
  case insisted
  /// The server did not take its authority.
  case refused = "401"

  /// Whether somebody asked: then waits of our own hold nothing back.
  var isAsked: Bool { self == .asked || self == .insisted }
}
