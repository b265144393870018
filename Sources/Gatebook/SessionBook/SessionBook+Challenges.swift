extension SessionBook {
  /// Registers a resolver for challenges; the last registration for a server wins.
  ///
  /// - Parameters:
  ///   - resolver: The resolver.
  ///   - server: The server whose challenges it gets; `nil` for all servers without a resolver of
  ///     their own.
  ///   - limit: How long a decision may take.
  public func register(
    _ resolver: any ChallengeResolver, for server: Origin? = nil, limit: Duration = .seconds(60)
  ) {
    challenges.resolvers.set(
      ResolverRegistry.Entry(resolver: resolver, limit: limit), for: server)
  }

  /// Removes a registration; challenges then get the default handling.
  ///
  /// - Parameter server: The server that was named at the registration; `nil` for the general one.
  public func removeResolver(for server: Origin? = nil) {
    challenges.resolvers.set(nil, for: server)
  }

  /// Why the password was not sent to a server that asks for one.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - account: The account.
  /// - Returns: `challenge.unhandled`; `nil` for any other answer.
  /// - Throws: A storage failure.
  package func withheld(
    in reply: HTTPReply, of account: AccountID
  ) throws(GatebookError) -> GatebookError? {
    let proof = try ledger.openSession(of: account)?.stored.proof as? HTTPProof
    return proof?.withheld(in: reply)
  }

  /// Which TLS servers an account trusts, as decided at its logins and challenges; it is kept after
  /// the account's sessions end.
  ///
  /// - Throws: `configuration.invalid` for an unknown account, or a `key` or `storage` failure.
  public func trust(of account: AccountID) throws(GatebookError) -> Trust {
    try challenges.trust(of: account)
  }

  /// Removes accepted and pinned keys; requests then need a valid certificate.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - key: The key; `nil` for all of the account's.
  /// - Returns: What the account trusts now.
  /// - Throws: `configuration.invalid` when the account has no such key; a storage failure.
  @discardableResult
  public func revokeTrust(
    of account: AccountID, key: KeyHash? = nil
  ) async throws(GatebookError) -> Trust {
    try await challenges.revokeTrust(of: account, key: key)
  }
}
