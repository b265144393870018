import Gatebook
import GatebookFakes
import Testing

/// Logins that must be of one account.
@Suite struct LogInOfAccountTests {
  private static func options(_ account: AccountID) -> LoginOptions {
    var options = LoginOptions()
    options.account = account
    return options
  }

  @Test(arguments: [FakePortalUser.ben, .cleo])
  func `another user's login is rejected, and its session ended at the server`(
    _ user: FakePortalUser
  ) async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.cookie, .ada)
    let ben = try await world.logIn(.cookie, .ben)
    let before = try await world.book.accounts()
    let sessions = world.portal.sessions.count
    let method = try world.cookie(user)
    let error = await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await world.book.logIn(method, options: Self.options(ada.account))
    }
    #expect(error?.kept == "No session was changed.")
    #expect(world.portal.sessions.count { $0.userID == user.userID } == (user == .ben ? 1 : 0))
    #expect(world.portal.sessions.count <= sessions)
    // Nothing but the failure has come: no account, no session, no switch.
    let after = try await world.book.accounts()
    #expect(after.map(\.account) == before.map(\.account))
    #expect(after.map(\.session) == before.map(\.session))
    #expect(after.map(\.state) == before.map(\.state))
    #expect(try await world.book.context(of: ben.account).isCurrent)
    #expect(try world.kinds().last == "login.failed")
    let again = try await world.logIn(.cookie, .ada, options: Self.options(ada.account))
    #expect(again.account == ada.account)
    #expect(again.session != ada.session)
  }

  @Test func `who logs in on a page is known only after it, and rejected all the same`()
    async throws
  {
    let world = try await PortalWorld()
    world.portal.switches.hasRevocation = true
    var paths = LiferayOAuth2Paths()
    paths.revoke = "o/oauth2/revoke"
    let method = try world.method(.oauth2Redirect, options: PortalOptions(paths: paths))
    let ada = try await world.logIn(.email, .ada)
    // The wish outlives a restart: it is another process that finishes.
    let pending = try await world.book.beginLogIn(method, options: Self.options(ada.account))
    let redirect = try await world.redirect(of: pending, .ben)
    let later = try await world.world.open(world.transport)
    let error = await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await later.finishLogIn(redirect: redirect)
    }
    #expect(error?.kept == "No session was changed.")
    #expect(world.portal.requests(to: .revoke).count == 2)
    #expect(world.portal.tokens.allSatisfy { $0.accessToken == nil && $0.refreshToken == nil })
    #expect(try await later.accounts().map(\.account) == [ada.account])
    #expect(try await later.context(of: ada.account).session == ada.session)
  }

  @Test func `whose login it must be can be said where it ends, but not twice differently`()
    async throws
  {
    let world = try await PortalWorld()
    let method = try world.method(.oauth2Redirect)
    let ada = try await world.logIn(.email, .ada)
    let ben = try await world.logIn(.email, .ben)
    let open = try await world.book.beginLogIn(method)
    let cleo = try await world.redirect(of: open, .cleo)
    await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await world.book.finishLogIn(redirect: cleo, account: ada.account)
    }
    #expect(try await world.book.accounts().count == 2)
    let bound = try await world.book.beginLogIn(method, options: Self.options(ada.account))
    let redirect = try await world.redirect(of: bound, .ada)
    for other in [ben.account, AccountID(high: 1, low: 2)] {
      await expect(.configurationInvalid) { () throws(GatebookError) in
        _ = try await world.book.finishLogIn(redirect: redirect, account: other)
      }
    }
    let finished = try await world.book.finishLogIn(redirect: redirect, account: ada.account)
    #expect(finished.account == ada.account)
  }

  @Test(arguments: [false, true])
  func `how it failed on a page is part of the account's history`(
    isSaidAtTheEnd: Bool
  ) async throws {
    let world = try await PortalWorld()
    let method = try world.method(.oauth2Redirect)
    let ada = try await world.logIn(.email, .ada).account
    try await world.book.logOut(ada)
    let options = isSaidAtTheEnd ? LoginOptions() : Self.options(ada)
    let pending = try await world.book.beginLogIn(method, options: options)
    if !isSaidAtTheEnd {
      let open = Told(try await world.book.why(ada))
      #expect(open.advice == .resume)
      #expect(open.steps.suffix(2).first?.contains("began a login") == true, "\(open)")
    }
    let redirect = try await world.redirect(of: pending, .ada)
    world.portal.inject(.status(500), on: .token, times: nil)
    let later = try await world.world.open(world.transport)
    await expect(.serverUnavailable) { () throws(GatebookError) in
      _ = try await later.finishLogIn(redirect: redirect, account: isSaidAtTheEnd ? ada : nil)
    }
    let events = try await later.events(after: .start).filter { $0.session == pending.id }
    #expect(events.map(\.kind).suffix(2) == ["challenge.answered", "login.failed"])
    #expect(events.filter { $0.account != ada }.count == (isSaidAtTheEnd ? 2 : 0))
    let why = Told(try await later.why(ada))
    #expect(why.steps.last?.hasPrefix("A login by") == true, "\(why)")
    #expect(try BookReader.open(at: world.world.path).checkProjections().ok)
  }

  @Test func `what a session that began on a page has met is its own`() async throws {
    let world = try await PortalWorld()
    let pending = try await world.book.beginLogIn(world.method(.oauth2Redirect))
    let redirect = try await world.redirect(of: pending, .ada)
    let ada = try await world.book.finishLogIn(redirect: redirect).account
    world.portal.inject(.status(404), on: .token, times: nil)
    _ = try? await world.book.renewNow(ada)
    #expect(try await world.book.why(ada).advice == .checkSettings)
  }

  @Test func `a session that could not be ended at the server is reported`() async throws {
    let world = try await PortalWorld()
    let ada = try await world.logIn(.email, .ada)
    let method = try world.cookie(.ben)
    world.portal.inject(.status(503), on: .logout, times: nil)
    let error = await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await world.book.logIn(method, options: Self.options(ada.account))
    }
    #expect(error?.kept.hasPrefix("No session was changed.") == true)
    #expect(error?.kept.contains("continues at the server") == true, "\(error?.kept ?? "")")
  }

  @Test func `a session that nothing can end at the server is reported`() async throws {
    let world = try await PortalWorld()
    let method = try world.method(.oauth2Redirect)
    let ada = try await world.logIn(.email, .ada)
    let pending = try await world.book.beginLogIn(method, options: Self.options(ada.account))
    let redirect = try await world.redirect(of: pending, .ben)
    let error = await expect(.identityMismatch) { () throws(GatebookError) in
      _ = try await world.book.finishLogIn(redirect: redirect)
    }
    #expect(error?.kept.contains("continues at the server") == true, "\(error?.kept ?? "")")
  }

  @Test func `the account's own label is no other account's`() async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.label = "work"
    let ada = try await world.logIn(.email, .ada, options: options)
    options.account = ada.account
    let pending = try await world.book.beginLogIn(
      world.method(.oauth2Redirect), options: options)
    let redirect = try await world.redirect(of: pending, .ada)
    #expect(try await world.book.finishLogIn(redirect: redirect).label?.value == "work")
  }

  @Test func `a label that a login asks for is for an account without one`() async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    for label in [nil, "work", "work", "home"] {
      options.label = label
      _ = try await world.logIn(.email, .ada, options: options)
    }
    #expect(try await world.book.accounts().map { $0.label?.value } == ["work"])
    let renamings = try await world.book.events(after: .start).filter {
      $0.kind == EventKind.accountRenamed.rawValue
    }
    #expect(renamings.count == 1)
  }

  @Test func `a label that is given again is judged when the page has told who it is`() async throws
  {
    let world = try await PortalWorld()
    world.portal.switches.hasRevocation = true
    var paths = LiferayOAuth2Paths()
    paths.revoke = "o/oauth2/revoke"
    let method = try world.method(.oauth2Redirect, options: PortalOptions(paths: paths))
    var options = LoginOptions()
    options.label = "work"
    var accounts: [AccountID] = []
    for _ in 1...2 {
      let pending = try await world.book.beginLogIn(method, options: options)
      let redirect = try await world.redirect(of: pending, .ada)
      let context = try await world.book.finishLogIn(redirect: redirect)
      #expect(context.label?.value == "work")
      accounts.append(context.account)
    }
    #expect(Set(accounts).count == 1)
    let pending = try await world.book.beginLogIn(method, options: options)
    let redirect = try await world.redirect(of: pending, .ben)
    let error = await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.finishLogIn(redirect: redirect)
    }
    #expect(error?.message == "Another account has this label.")
    #expect(error?.setting == "label")
    #expect(try await world.book.accounts().map(\.account) == [accounts[0]])
    #expect(world.portal.requests(to: .revoke).count == 2)
    #expect(try await world.book.pendingLogins().isEmpty)
  }

  @Test func `a label of an account at another server is refused before any page`() async throws {
    let world = try await PortalWorld()
    var options = LoginOptions()
    options.label = "work"
    _ = try await world.logIn(.email, .ada, options: options)
    let count = try world.kinds().count
    let elsewhere = try LoginMethod.redirect()
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.beginLogIn(elsewhere, options: options)
    }
    #expect(try world.kinds().count == count)
  }

  @Test func `an account that there is not is refused before anything is sent`() async throws {
    let world = try await PortalWorld()
    let method = try world.basic()
    let nobody = Self.options(AccountID(high: 1, low: 2))
    await expect(.configurationInvalid) { () throws(GatebookError) in
      _ = try await world.book.logIn(method, options: nobody)
    }
    #expect(world.portal.requests.isEmpty)
    #expect(try !world.kinds().contains("login.started"))
  }
}
