/// What Gatebook knows of a kind of event beside its facts: the one table.
///
/// A new kind gets its line here, and a struct of its facts with its sentence.
package struct KindTraits: Sendable {
  /// What a kind is in the story of an account.
  package struct Parts: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// It begins a login, a renewal or a logout, which another event is to end.
    package static let begins = Parts(rawValue: 1)
    /// It ends a login, a renewal or a logout.
    package static let ends = Parts(rawValue: 2)
    /// All was well with the account then: before it nothing is left to explain.
    package static let baseline = Parts(rawValue: 4)
    /// It tells how the account fared, though nothing was caused by it.
    package static let explanatory = Parts(rawValue: 8)
    /// It is about the renewal of a session.
    package static let renewal = Parts(rawValue: 16)
    /// It is a failure that something is to be done about.
    package static let failure = Parts(rawValue: 32)
    /// It tells how the server was found, though nothing failed.
    package static let server = Parts(rawValue: 64)
    /// It tells what became of a former session at its server.
    package static let aside = Parts(rawValue: 128)
  }

  /// The facts.
  package let facts: any EventFacts.Type
  /// What it is in the story of an account.
  package let parts: Parts
  /// The kind of the event that began it, such as `login.started`; `nil` for none.
  package let start: EventKind?
  /// What a report draws of it; `nil` for one that has only its row.
  package let mark: ReportMark?
  /// What it is in the class Authentication of the Open Cybersecurity Schema Framework; `nil` for
  /// one that is about no authentication.
  package let activity: AuthenticationActivity?

  private init(
    _ facts: any EventFacts.Type, _ parts: Parts = [], with start: EventKind? = nil,
    mark: ReportMark? = nil, ocsf activity: AuthenticationActivity? = nil
  ) {
    self.facts = facts
    self.parts = parts
    self.start = start
    self.mark = mark
    self.activity = activity
  }

  /// The line of a kind.
  static func of(_ kind: EventKind) -> Self {
    switch kind {
    case .bookCreated: Self(BookCreated.self)
    case .bookMigrated: Self(BookMigrated.self)
    case .bookOpened: Self(BookOpened.self)
    case .bookBackedUp: Self(BookBackedUp.self)
    case .bookContinued: Self(BookContinued.self)
    case .bookRecovered: Self(BookRecovered.self)
    case .keyChanged: Self(KeyChanged.self)
    case .accountAdded: Self(AccountAdded.self)
    case .accountRenamed: Self(AccountRenamed.self)
    case .accountSwitched: Self(AccountSwitched.self, ocsf: .init(.accountSwitch, .success))
    case .accountErased: Self(AccountErased.self)
    case .loginStarted: Self(LoginStarted.self, [.begins], ocsf: .init(.preauth, .unknown))
    case .loginSucceeded:
      Self(LoginSucceeded.self, [.ends, .baseline], mark: .login, ocsf: .init(.logon, .success))
    case .loginFailed:
      Self(
        LoginFailed.self, [.ends, .explanatory, .failure], with: .loginStarted, mark: .failure,
        ocsf: .init(.logon, .failure, .low))
    case .loginCancelled:
      Self(
        LoginCancelled.self, [.ends, .explanatory], with: .loginStarted,
        ocsf: .init(.logon, .failure))
    case .visitRefused:
      Self(
        VisitRefused.self, [.explanatory], mark: .failure, ocsf: .init(.preauth, .failure, .low))
    case .challengeReceived:
      Self(
        ChallengeReceived.self, [.explanatory], with: .loginStarted, mark: .challenge,
        ocsf: .init(.preauth, .unknown))
    case .challengeAnswered:
      Self(ChallengeAnswered.self, [.explanatory], ocsf: .init(.preauth, .success))
    case .challengeCancelled:
      Self(ChallengeCancelled.self, [.explanatory], ocsf: .init(.preauth, .failure))
    case .challengeFailed:
      Self(
        ChallengeFailed.self, [.explanatory, .failure], mark: .failure,
        ocsf: .init(.preauth, .failure, .low))
    case .checkSucceeded:
      Self(CheckSucceeded.self, [.explanatory, .server], ocsf: .init(.preauth, .success))
    case .tokenGranted: Self(TokenGranted.self, ocsf: .init(.ticket, .success))
    case .tokenCleared: Self(TokenCleared.self, [.explanatory], ocsf: .init(.logoff, .success))
    case .refreshStarted: Self(RefreshStarted.self, [.begins], ocsf: .init(.ticket, .unknown))
    case .refreshSucceeded:
      Self(
        RefreshSucceeded.self, [.ends, .baseline], mark: .refresh, ocsf: .init(.ticket, .success))
    case .refreshFailed:
      Self(
        RefreshFailed.self, [.ends, .explanatory, .renewal, .failure], with: .refreshStarted,
        mark: .failure, ocsf: .init(.ticket, .failure, .low))
    case .refreshDeferred:
      Self(
        RefreshDeferred.self, [.ends, .explanatory, .renewal, .failure], mark: .failure,
        ocsf: .init(.ticket, .failure))
    case .refreshDiscarded:
      Self(RefreshDiscarded.self, [.ends, .explanatory], ocsf: .init(.ticket, .failure, .low))
    case .refreshAdopted:
      Self(
        RefreshAdopted.self, [.ends, .baseline, .explanatory, .renewal], mark: .refresh,
        ocsf: .init(.ticket, .success))
    case .sessionRestored:
      Self(SessionRestored.self, [.explanatory, .renewal], ocsf: .init(.logon, .success))
    case .sessionVerified: Self(SessionVerified.self, [.baseline], ocsf: .init(.ticket, .success))
    case .sessionUnverified:
      Self(
        SessionUnverified.self, [.explanatory, .renewal], mark: .failure,
        ocsf: .init(.ticket, .failure))
    case .sessionExpired: Self(SessionExpired.self, ocsf: .init(.logoff, .success))
    case .sessionUncertain:
      Self(
        SessionUncertain.self, [.ends, .explanatory, .renewal], with: .refreshStarted,
        mark: .failure, ocsf: .init(.ticket, .failure))
    case .sessionEnded:
      Self(SessionEnded.self, [.ends], mark: .failure, ocsf: .init(.logoff, .success, .medium))
    case .logoutRequested: Self(LogoutRequested.self, [.begins], ocsf: .init(.logoff, .success))
    case .logoutCompleted:
      Self(
        LogoutCompleted.self, [.ends, .explanatory, .aside], with: .logoutRequested,
        ocsf: .init(.logoff, .success))
    case .revocationQueued: Self(RevocationQueued.self, ocsf: .init(.logoff, .unknown))
    case .revocationSucceeded:
      Self(
        RevocationSucceeded.self, [.explanatory, .aside], with: .logoutRequested,
        ocsf: .init(.logoff, .success))
    case .revocationFailed:
      Self(
        RevocationFailed.self, [.explanatory, .failure, .aside], with: .logoutRequested,
        mark: .failure, ocsf: .init(.logoff, .failure, .low))
    case .credentialsSaved: Self(CredentialsSaved.self)
    case .credentialsLoaded:
      Self(
        CredentialsLoaded.self, [.explanatory], with: .loginStarted, ocsf: .init(.preauth, .success)
      )
    case .credentialsRemoved: Self(CredentialsRemoved.self, [.explanatory])
    case .credentialAccepted: Self(CredentialAccepted.self, ocsf: .init(.ticket, .success))
    case .credentialRejected:
      Self(CredentialRejected.self, [.explanatory], mark: .failure, ocsf: .init(.ticket, .failure))
    case .attributesChanged: Self(AttributesChanged.self)
    case .cookiesChanged: Self(CookiesChanged.self)
    case .requestRefused:
      Self(RequestRefused.self, [.explanatory], mark: .failure, ocsf: .init(.ticket, .failure))
    case .proxyStarted: Self(ProxyStarted.self)
    case .proxyRefused: Self(ProxyRefused.self, [.explanatory])
    case .proxyUsed: Self(ProxyUsed.self, [.explanatory], with: .proxyStarted)
    case .proxyEnded: Self(ProxyEnded.self, [.explanatory], with: .proxyStarted)
    case .agentStarted: Self(AgentStarted.self)
    case .agentLocked: Self(AgentLocked.self)
    case .agentUnlocked: Self(AgentUnlocked.self)
    case .agentRefused: Self(AgentRefused.self)
    case .originAllowed: Self(OriginAllowed.self, [.explanatory], ocsf: .init(.preauth, .success))
    case .trustDecided:
      Self(TrustDecided.self, [.explanatory, .server], ocsf: .init(.preauth, .success))
    case .registrationCreated: Self(RegistrationCreated.self)
    case .registrationReplaced: Self(RegistrationReplaced.self, [.explanatory])
    case .registrationRejected: Self(RegistrationRejected.self, [.explanatory])
    case .clockObserved: Self(ClockObserved.self, [.explanatory])
    case .discoveryChanged: Self(DiscoveryChanged.self, [.explanatory])
    }
  }
}

extension EventKind {
  /// What Gatebook knows of the kind.
  package var traits: KindTraits { .of(self) }

  /// The facts of the kind.
  package var facts: any EventFacts.Type { traits.facts }

  /// The kinds that are something in the story of an account.
  package static func all(_ parts: KindTraits.Parts) -> Set<EventKind> {
    Set(allCases.filter { !$0.traits.parts.isDisjoint(with: parts) })
  }
}

extension RecordedEvent {
  /// Whether its kind is something in the story of an account; never one that only a newer version
  /// knows.
  package func isPart(_ part: KindTraits.Parts) -> Bool {
    EventKind(rawValue: kind)?.traits.parts.isDisjoint(with: part) == false
  }
}

/// What a report draws of an event, and counts by day.
package enum ReportMark: Int, CaseIterable, Sendable {
  case login
  case refresh
  case challenge
  case failure

  /// The mark of a kind; `nil` for one that has only its row.
  package init?(_ kind: String) {
    // A kind that only a newer version knows says by its name that it is a failure.
    let known = EventKind(rawValue: kind)
    guard let mark = known.map(\.traits.mark) ?? (kind.hasSuffix(".failed") ? .failure : nil) else {
      return nil
    }
    self = mark
  }
}
