/// A book of sessions: logs accounts in and out, sends their requests, and records all of it.
///
/// ```swift
/// let book = try await SessionBook.open(
///   at: path, key: KeyFile(path: keyPath), program: mail, transport: CurlTransport())
/// let ada = try await book.logIn(.http(url: url, user: "ada", password: password))
/// let reply = try await book.send(.get(documents), as: ada.account)
/// ```
///
/// Each action takes one path: this actor runs an authenticator, sends requests through the
/// transport, and commits the result in one transaction; readers see the computed state. Nothing is
/// kept in memory that is not in the book.
///
/// ## Topics
///
/// ### Opening
/// - ``open(at:key:program:transport:suffixes:clock:random:wait:renewalPolicy:network:)``
/// - ``close()``
///
/// ### Accounts
/// - ``logIn(_:options:browser:)``
/// - ``logIn(_:label:saving:browser:)``
/// - ``beginLogIn(_:options:)``
/// - ``finishLogIn(redirect:account:)``
/// - ``finishLogIn(_:code:)``
/// - ``cancelLogIn(_:)``
/// - ``pendingLogins()``
/// - ``resumeLogIn(_:account:browser:)``
/// - ``setLoginDelegate(_:)``
/// - ``logOut(_:forgettingCredentials:byPolicy:)``
/// - ``logOutAll(forgettingCredentials:)``
/// - ``endSessionPage(of:redirectURI:state:namesPerson:)``
/// - ``switchAccount(to:)``
/// - ``rename(_:to:)``
/// - ``restore(_:)``
/// - ``restore(_:password:)``
/// - ``sync(_:)``
/// - ``deliverOutbox(within:)``
/// - ``renewNow(_:evenIfUsedUp:)``
/// - ``keepSessionsRenewed()``
/// - ``logInAgain(_:evenIfUsedUp:)``
/// - ``hasSavedLogin(_:)``
/// - ``refreshAttributes(of:)``
///
/// ### Requests
/// - ``send(_:as:)``
/// - ``token(for:minimumLifetime:scopes:)``
/// - ``missingScopes(of:)``
/// - ``demandedStepUp(of:)``
/// - ``stepUpLogin(of:to:redirectURI:)``
///
/// ### Gateway sessions
/// - ``savedSettings(of:)``
/// - ``gatewaySession(of:)``
/// - ``gatewayConnected(_:)``
/// - ``gatewayConnectionLost(_:)``
/// - ``gatewaySessionRevoked(_:)``
///
/// ### Challenges and trust
/// - ``register(_:for:limit:)``
/// - ``removeResolver(for:)``
/// - ``trust(of:)``
/// - ``revokeTrust(of:key:)``
/// - ``removeCredentials(of:)``
///
/// ### Security checks
/// - ``authorizationManager(for:account:options:)``
/// - ``authorizationManager(for:user:options:)``
/// - ``authorizationManager(of:)``
///
/// ### Reading
/// - ``accounts()``
/// - ``currentContext()``
/// - ``context(of:)``
/// - ``context(of:asOf:)``
/// - ``contexts(of:)``
/// - ``accountChanges()``
/// - ``events(after:limit:)``
/// - ``events(matching:)``
/// - ``events(following:matching:)``
/// - ``why(_:)-(AccountID)``
///
/// ### Proof and repair
/// - ``checkpoint()``
/// - ``rebuild(_:)``
/// - ``moveKey(to:)``
///
/// ### Erasing and copying
/// - ``erase(_:)``
/// - ``backUp(to:replacing:progress:)``
/// - ``archive(to:progress:)``
/// - ``copies(withKeyOf:)``
public actor SessionBook: AuthorizationHost {
  nonisolated let effects: Effects
  let ledger: Ledger
  // The rooms, from the bottom to the top; each names those below that it uses.
  lazy var documents = Documents(ledger)
  lazy var challenges = Challenges(ledger, documents, host: self)
  lazy var grants = Grants(ledger)
  lazy var outbox = makeOutbox()
  lazy var logins = Logins(ledger, documents, challenges, outbox)
  lazy var waiting = WaitingLogins(ledger, challenges, outbox, logins)
  lazy var renewals = Renewals(ledger, challenges, grants, outbox, logins, waiting)
  lazy var offline = OfflineSessions(
    ledger: ledger, outbox: outbox, logins: logins, renewals: renewals)
  lazy var logouts = Logouts(ledger: ledger, grants: grants, outbox: outbox)
  lazy var requests = Requests(
    ledger: ledger, challenges: challenges, renewals: renewals, offline: offline)
  lazy var synchronizer = ServerSync(
    ledger: ledger, outbox: outbox, renewals: renewals, offline: offline)
  lazy var gatewaySessions = GatewaySessions(
    ledger: ledger, renewals: renewals, offline: offline)
  let authorizations = Authorizations()
  lazy var care = BookCare(
    ledger: ledger, challenges: challenges, outbox: outbox, waiting: waiting, logouts: logouts)
  /// Hears of the network coming and going.
  var networkWatch: Task<Void, Never>?
  /// Waits for the network to settle, then catches up.
  var catchingUp: Task<Void, Never>?

  init(
    store: Result<EventStore, GatebookError>, reader: sending BookReader, effects: Effects,
    wait: Duration, renewalPolicy: RenewalPolicy
  ) {
    self.effects = effects
    ledger = Ledger(
      store: store, reader: reader, effects: effects, wait: wait, renewalPolicy: renewalPolicy)
  }

  deinit {
    networkWatch?.cancel()
  }

  /// Opens a book, or creates it.
  ///
  /// - Parameters:
  ///   - path: The book's file, on a local file system; next to it are `-wal`, `-shm` and `-lock`.
  ///   - key: The source of the book's master key.
  ///   - program: The program that writes; every event names it.
  ///   - transport: Sends requests, such as `CurlTransport()`.
  ///   - suffixes: Public suffixes for cookies; `nil` is stricter: a cookie's domain must be the
  ///     host.
  ///   - clock: The time.
  ///   - random: Keys, nonces and identities.
  ///   - wait: How long to wait for other processes.
  ///   - renewalPolicy: Whether requests wait for renewals that are due, but not needed yet.
  ///   - network: Reports when the network is back: the book then does what ``sync(_:)`` does,
  ///     unless its renewal policy is ``RenewalPolicy/beforeUse``. `nil` for no reports.
  /// - Returns: The open book. A read-only book (read-only media, a full disk) opens too: calls
  ///   that write then throw the reason, but ``restore(_:)`` works.
  /// - Throws: A `storage` or `key` failure; nothing was changed.
  public static func open(
    at path: String, key: any KeySource, program: Program, transport: any Transport,
    suffixes: (any PublicSuffixes)? = nil, clock: any BookClock = SystemClock(),
    random: any RandomSource = SystemRandom(), wait: Duration = .seconds(10),
    renewalPolicy: RenewalPolicy = .inBackground,
    network: (any NetworkMonitor)? = NetlinkMonitor()
  ) async throws(GatebookError) -> SessionBook {
    let store = await Result { () async throws(GatebookError) in
      try await EventStore.open(
        at: path, key: key, program: program, clock: clock, random: random, wait: wait)
    }
    let reader =
      switch store {
      case .success(let opened): try opened.makeReader()
      case .failure(let error): try read(path, key, unless: error)
      }
    let book = SessionBook(
      store: store, reader: reader,
      effects: Effects(transport: transport, suffixes: suffixes, clock: clock, random: random),
      wait: wait, renewalPolicy: renewalPolicy)
    await book.keepDelivering()
    if let network { await book.catchUp(with: network) }
    return book
  }

  /// Opens for reading what cannot be written: sessions can still be resumed, and say that the log
  /// does not know of it (rule 12).
  private static func read(
    _ path: String, _ key: any KeySource, unless failure: GatebookError
  ) throws(GatebookError) -> BookReader {
    guard failure.code == .storageReadOnly || failure.code == .storageFull else { throw failure }
    do throws(GatebookError) {
      return try BookReader.open(at: path, key: key)
    } catch {
      throw failure
    }
  }

  /// Closes the book: all its events are then in the file itself, so that a copy of it is complete.
  ///
  /// It waits for running renewals.
  ///
  /// A book that is not closed loses nothing; its last events are then in the `-wal` file. There is
  /// one exception: if the book cannot be written when a server grants something, the program loses
  /// that when it ends. See ``waitUntilWritten(_:)``.
  public func close() async {
    await stopCatchingUp()
    outbox.courier?.cancel()
    await outbox.courier?.value
    await renewals.settleRenewals()
    for account in ledger.held.keys {
      if let loggedIn = try? await grants.save(of: account) {
        await logins.tell(loggedIn.news)
      }
    }
    await endOwnRegistrations()
    grants.isDone = true
    await grants.closeWhenSaved()
    // Not before: until now a manager could answer under what it holds.
    authorizations.claims = [:]
    ledger.lastRead = [:]
  }
}
