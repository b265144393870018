internal import Gatebook

/// Which account answers a program.
enum CredentialChoice: Sendable {
  /// This one.
  case holder(CredentialHolder)
  /// Several could, and none is the current one.
  case several([SessionContext])
  /// This one could after a login.
  case needsLogin(SessionContext)
  /// This one has neither a password nor a token that another program could send there.
  case unfit(SessionContext)
  /// None: the question is none of Gatebook's.
  case nobody

  /// Chooses among the accounts whose credentials go to a URL.
  ///
  /// - Parameters:
  ///   - holders: Those accounts.
  ///   - question: What the program asks for.
  ///   - named: The account that the person has named; `nil` for none.
  ///   - tokenUser: The user names that mean a token.
  init(
    among holders: [CredentialHolder], for question: CredentialQuestion, named: AccountID?,
    tokenUser: TokenUser
  ) {
    let own = holders.filter { named == nil || $0.context.account == named }
    let called = own.filter { Self.isCalled(question, $0, tokenUser) }
    let able = called.filter { holder in
      holder.credential.map { !question.wantsToken || $0.kind == .token } == true
    }
    let current = { (holders: [CredentialHolder]) in
      holders.count == 1 ? holders.first : holders.first { $0.context.isCurrent }
    }
    if let holder = current(able) {
      self = .holder(holder)
    } else if !able.isEmpty {
      self = .several(able.map(\.context))
    } else if let ended = current(called.filter { Self.wantsLogin($0.context) }) {
      self = .needsLogin(ended.context)
    } else if let unfit = called.first(where: \.context.state.isUsable),
      named != nil || question.user != nil || question.urls == nil
    {
      self = .unfit(unfit.context)
    } else {
      self = .nobody
    }
  }

  /// Whether an account is of the user that the program names.
  private static func isCalled(
    _ question: CredentialQuestion, _ holder: CredentialHolder, _ tokenUser: TokenUser
  ) -> Bool {
    guard let user = question.user else { return true }
    if let credential = holder.credential {
      if credential.kind == .token, tokenUser.means(user) { return true }
      if credential.user == user { return true }
      // The label beside the password would be refused.
      if credential.kind == .password, question.keepsUser { return false }
    }
    return names(of: holder.context).contains(user)
  }

  /// What a person may call the account in a URL.
  private static func names(of context: SessionContext) -> Set<String> {
    let attributes = ["sub", "preferred_username", "email", "emailAddress", "screenName", "userId"]
    return Set(
      [context.label?.value, context.loginName.value].compactMap(\.self).filter { !$0.isEmpty }
        + attributes.compactMap { context.user[$0] })
  }

  /// Whether a login would help.
  private static func wantsLogin(_ context: SessionContext) -> Bool {
    !context.state.isUsable && context.state != .ended(.erased)
  }
}

extension CredentialHolder {
  /// Whether a program tells of what this account has now.
  func holds(_ secret: Secret, for user: String?) -> Bool {
    guard let credential else { return false }
    return credential.secret == secret
      && (credential.kind == .token || user == nil || user == credential.user)
  }

  /// Whether a program can only tell of a token that this account had before: no person types that
  /// name.
  func mayHaveHeld(for user: String?, _ tokenUser: TokenUser) -> Bool {
    credential?.kind == .token && user.map(tokenUser.means) == true
  }
}
