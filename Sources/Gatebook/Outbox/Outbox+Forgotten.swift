extension Outbox {
  /// Leaves the saved refresh token that is removed now to be revoked, because nobody will use it
  /// (RFC 7009): with the append's last event, which tells that it is forgotten.
  ///
  /// Nothing is left in four cases. It is a password, or has no server to tell. A session
  /// continues, and some servers revoke all grants of an application at once (RFC 7009 section
  /// 2.1). The session's own end revokes the same token. It cannot be read.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - isEnding: Whether its session ends by the same decision.
  ///   - append: What removes it.
  func leaveForgotten(_ account: AccountID, isEnding: Bool, in append: inout Append) {
    do throws(GatebookError) {
      guard let state = try ledger.reader.state(of: account), let session = state.session,
        let saved = try ledger.savedSession(of: account), saved.proof.isSingleUse
      else { return }
      if state.state.isUsable, let live = try ledger.stored(Purpose.session, of: account) {
        guard isEnding, !saved.proof.isSpent(with: live.proof) else { return }
      }
      let item = OutboxItem(stored: saved, jar: CookieJar())
      guard saved.proof.hasLogout(jar: item.jar, at: ledger.clock.now()) else { return }
      append.queue(
        item, as: "\(session)-saved-\(state.revision)", of: account, session,
        because: "forgotten")
    } catch {
      // What cannot be read must not keep anybody from removing it.
    }
  }

  /// Tells the servers what an account has just forgotten, for as long as somebody may be made to
  /// wait.
  func tellServers(ofForgotten account: AccountID) async {
    guard (try? ledger.reader.state(of: account))?.outbox.isEmpty == false else { return }
    _ = await startTask { try? await self.deliverOutbox(of: account) }
      .value(cancelledAfter: DeliveryEnding.patience)
    keepDelivering()
  }

  /// What ends a session at its server; `nil` where nothing does.
  ///
  /// A refresh token that the user saved survives: of that session the access token ends alone.
  func serverLogout(of session: OpenSession, forgettingCredentials: Bool = false) -> OutboxItem? {
    var item = OutboxItem(stored: session.stored, jar: session.jar)
    if !forgettingCredentials, let tokens = item.stored.proof.tokenBearing,
      let saved = try? ledger.savedSession(of: session.context.account)
    {
      item.stored.proof = tokens.leaving(saved.proof)
    }
    return item.stored.proof.hasLogout(jar: item.jar, at: ledger.clock.now()) ? item : nil
  }
}
