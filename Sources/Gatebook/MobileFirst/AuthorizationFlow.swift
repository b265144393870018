/// One flow of an authorization manager, from its call to its end.
struct AuthorizationFlow {
  /// What it is for.
  enum Kind {
    case token(AuthorizationScope)
    case login(check: String, ChallengeAnswer)
    case logout(check: String)
  }

  /// One check that was challenged in the current round.
  struct OpenCheck {
    enum Answer {
      case awaited
      /// It was given and is being recorded.
      case recorded
      case given(ChallengeAnswer)
      /// The check was dropped from the answers that are awaited.
      case dropped
    }

    let challenge: SecurityCheckChallenge
    var answer = Answer.awaited

    var isAwaited: Bool { if case .awaited = answer { true } else { false } }

    var isSettled: Bool {
      switch answer {
      case .awaited, .recorded: false
      case .given, .dropped: true
      }
    }
  }

  let id: FlowID
  let kind: Kind
  /// The callers who wait, by their numbers.
  var promises: [Int: FlowPromise] = [:]
  /// Checks whose challenges go to callers of `authenticate`, handler or not.
  var direct: Set<String> = []
  /// The challenges of the current round, by check.
  var open: [String: OpenCheck] = [:]
  /// When the current round began to wait, by the boot clock.
  var challenged: Duration?
  /// Everything that was answered: no text of the server may show it.
  var answers: [ChallengeAnswer] = []
  /// Why the flow must end; from then on nobody joins it, and its challenges take no answer.
  var interruption: GatebookError?
  /// Ends the wait for the handler that is being called.
  var callback: FirstValue<AuthorizationManager.CallbackEnd>?
  /// Wakes the flow when all answers are there.
  var wake: CheckedContinuation<GatebookError?, Never>?

  init(_ id: FlowID, _ kind: Kind) {
    self.id = id
    self.kind = kind
    if case .login(_, let answer) = kind { answers = [answer] }
  }

  var isLogout: Bool { if case .logout = kind { true } else { false } }

  var isLogin: Bool { if case .login = kind { true } else { false } }

  /// Whether a caller who wants this scope may join.
  func serves(_ scope: AuthorizationScope) -> Bool {
    guard interruption == nil, case .token(let own) = kind else { return false }
    return own == scope
  }
}

/// What one caller of a flow waits for.
struct FlowPromise {
  /// What ends the wait.
  typealias End = Result<Authorization, GatebookError>

  /// The check whose outcome is enough for this caller; `nil` waits for the flow's end.
  let check: String?
  let caller: AsyncStream<End>.Continuation

  /// Ends the wait; the first result counts.
  func fulfil(_ result: End) {
    caller.yield(result)
    caller.finish()
  }
}
