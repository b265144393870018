extension Outbox {
  /// What the user had saved that nothing lives by any more once it is forgotten.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - isEnding: Whether its session ends by the same decision.
  /// - Returns: `nil` for a password and for what nobody can be told of; where a session goes on, for to
  ///   some servers all that the user has allowed an application is one (RFC 7009 section 2.1); where the
  ///   session's own end tells of the same token; and for what cannot be read.
  func forgotten(_ account: AccountID, isEnding: Bool) -> ForgottenToken? {
    do throws(GatebookError) {
      guard let state = try ledger.reader.state(of: account), let session = state.session,
        let saved = try ledger.savedSession(of: account), saved.proof.isSingleUse
      else { return nil }
      if state.state.isUsable, let live = try ledger.stored(Purpose.session, of: account) {
        guard isEnding, !saved.proof.isSpent(with: live.proof) else { return nil }
      }
      let item = OutboxItem(stored: saved, jar: CookieJar())
      guard !saved.proof.logOut(jar: item.jar, at: ledger.clock.now()).isEmpty else { return nil }
      return ForgottenToken(
        account: account, session: session, revision: state.revision, item: item)
    } catch {
      return nil
    }
  }

  /// Tells the servers what an account has just forgotten, for as long as somebody may be made to wait.
  func tellServers(ofForgotten account: AccountID) async {
    guard (try? waitingDeliveries(of: account)) ?? 0 > 0 else { return }
    _ = await startTask { try? await self.deliverOutbox(of: account) }
      .value(cancelledAfter: DeliveryEnding.patience)
    keepDelivering()
  }
}
