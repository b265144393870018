internal import Gatebook

/// Answers a server's challenges during a login of the page: it asks the person on the page.
struct PagePorter: ChallengeResolver {
  private let stage: PageStage
  private let form: LoginForm
  private let answers: LoginAnswers
  private let asksAboutCertificates: Bool

  /// Makes one.
  ///
  /// - Parameters:
  ///   - stage: Where it asks.
  ///   - form: The form of the login.
  ///   - answers: What was filled in.
  ///   - asksAboutCertificates: Whether the person decides about certificates: not where the login
  ///     names the only authorities.
  init(
    _ stage: PageStage, _ form: LoginForm, _ answers: LoginAnswers, asksAboutCertificates: Bool
  ) {
    self.stage = stage
    self.form = form
    self.answers = answers
    self.asksAboutCertificates = asksAboutCertificates && form.asksAboutCertificates(answers)
  }

  func resolve(_ challenge: Challenge) async -> ChallengeDecision {
    switch challenge.question {
    case .token: return .performDefaultHandling
    case .serverTrust(let certificate):
      guard asksAboutCertificates else { return .performDefaultHandling }
      return await asking(.certificate(certificate, challenge.server)) { button, _ in
        button == PageText.acceptCertificate.rawValue
          ? .acceptCertificate : .performDefaultHandling
      }
    case .credentials(_, let realm):
      guard challenge.isProxy || form.asksForOtherPasswords else {
        return .performDefaultHandling
      }
      return await password(challenge, realm)
    }
  }

  private func password(_ challenge: Challenge, _ realm: String?) async -> ChallengeDecision {
    var view = FormView(server: "\(challenge.server)", fields: Self.fields)
    view.purpose = .password(of: challenge.server, isProxy: challenge.isProxy, realm: realm)
    if challenge.previousFailureCount > 0 {
      view.mistakes[LoginField.passwordName] = .known(.wrongCredentials)
    }
    while true {
      let form = view
      var typed: LoginAnswers?
      let decision = await asking(.form(form)) { button, fields in
        guard button == PageText.submit.rawValue else { return .cancelAuthenticationChallenge }
        let answers = LoginAnswers(form.fields, fields)
        typed = answers
        return .useCredential(
          ChallengeCredential(
            user: answers.user, password: answers.secret(),
            persistence: answers.isOn("keeps") ? .forSession : .none))
      }
      guard let typed else { return decision }
      view.refill(typed)
      if !view.takeMistakes(in: typed) { return decision }
    }
  }

  private static let fields = [
    LoginField.user(), .password, .toggle("keeps", .keepForSession, isOn: true),
  ]

  /// Shows a screen in the middle of a login, and returns to the login's own.
  private func asking(
    _ screen: Screen, _ decide: (String, FormFields) -> ChallengeDecision
  ) async -> ChallengeDecision {
    let (working, cancel) = await stage.current
    let action = await stage.ask(screen)
    await stage.show(working, cancel: cancel)
    switch action {
    case .button(let button, let fields): return decide(button, fields)
    case .account, .expired, .cancelled: return .cancelAuthenticationChallenge
    }
  }
}
