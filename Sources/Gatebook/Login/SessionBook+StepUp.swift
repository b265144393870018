extension SessionBook {
  /// What a server wanted of an account's login before it took a request; `nil` if nothing is open.
  ///
  /// It stays until the account logs in anew or its session ends; the session goes on as it is. In the
  /// log and in ``SessionContext/openChallenges`` it is the challenge `step-up`.
  ///
  /// - Parameter account: The account.
  /// - Returns: What is wanted.
  /// - Throws: `configuration.invalid` for an unknown account, or a storage failure.
  public func demandedStepUp(of account: AccountID) throws(GatebookError) -> StepUp? {
    _ = try context(of: account)
    return try reader.demandedStepUp(of: account)
  }

  /// The login that answers a server's demand: the account's own, on a page, asking for what is wanted.
  ///
  /// Log in with it by ``logIn(_:options:browser:)`` or ``beginLogIn(_:options:)``. What comes of it
  /// must satisfy the demand and be the account's own user's, else it is refused; until it has
  /// succeeded the session serves as before.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - demand: What is wanted; `nil` for what the server demanded last.
  ///   - redirectURI: Where the server sends the browser back to.
  /// - Returns: The method, and the options with which the account logged in.
  /// - Throws: `session.refused` without a usable session; `configuration.invalid` where nothing was
  ///   demanded, where the server did not say what it wants, and for methods without pages;
  ///   `login.unprovable` where nothing could prove the answer.
  ///
  /// Source: RFC 9470 section 4.
  public func stepUpLogin(
    of account: AccountID, to demand: StepUp? = nil, redirectURI: String
  ) async throws(GatebookError) -> (method: LoginMethod, options: LoginOptions) {
    let session = try await requireSession(of: account, mayLogIn: false)
    let open = if let demand { demand } else { try demandedStepUp(of: account) }
    guard let open, open != StepUp() else { throw Self.nothingDemanded }
    let method = try session.stored.proof.stepUp(to: open, redirectURI: redirectURI)
    var options = LoginOptions()
    options.account = account
    // What was saved stays as it is: a password logs in again for longer than a token on a page.
    options.offlineLimit = session.state.offline.map { .microseconds($0.limit) }
    options.origins = session.stored.origins
    options.trust = session.stored.trust
    options.allowsCleartext =
      method.origin.isCleartext || session.stored.origins.contains(where: \.isCleartext)
    options.becomesCurrent = false
    return (method, options)
  }

  /// Keeps what a server demands, once: an open challenge of the session, which goes on as it is.
  func keep(_ demand: StepUp, of session: OpenSession) async throws(GatebookError) {
    let account = session.context.account
    let content = demand.record.encoded
    guard try reader.secret(of: account, purpose: Purpose.stepUp) != content else { return }
    var personal = Facts()
    if !demand.contextClasses.isEmpty {
      personal["acr"] = .text(demand.contextClasses.joined(separator: " ").cut(to: 256))
    }
    if !demand.scopes.isEmpty {
      personal["scope"] = .text(demand.scopes.joined(separator: " ").cut(to: 256))
    }
    let event = ProposedEvent(
      .challengeReceived, account: account, session: session.session,
      cause: .recorded(session.context.position),
      data: [
        "check": "step-up", "maximumAge": .optional(demand.maximumAge?.microseconds), "round": 1,
        "scheme": "bearer",
      ], personal: personal.isEmpty ? nil : personal)
    var append = Append([event], precondition: session.precondition)
    append.vault = [
      .set(
        account, purpose: Purpose.stepUp, generation: session.state.generation, content: content)
    ]
    try await commit(append)
  }

  private static let nothingDemanded = GatebookError(
    .configurationInvalid, "No server demands a stronger login, or none says what it wants.",
    kept: "The session is kept.", remedy: "Say what is wanted: scopes, or a context class.")
}

extension BookReader {
  /// What a server wanted of an account's login before it took a request; `nil` if nothing is open.
  ///
  /// - Parameter account: The account.
  /// - Returns: What is wanted.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func demandedStepUp(of account: AccountID) throws(GatebookError) -> StepUp? {
    try secret(of: account, purpose: Purpose.stepUp)
      .flatMap { Facts(decoding: $0) }.flatMap { StepUp(record: $0) }
  }
}
