/// A book of sessions: logs accounts in and out, sends their requests, and records all of it.
///
/// ```swift
/// let book = try await SessionBook.open(
///   at: path, key: KeyFile(path: keyPath), program: mail, transport: CurlTransport())
/// let ada = try await book.logIn(.http(url: url, user: "ada", password: password))
/// let reply = try await book.send(.get(documents), as: ada.account)
/// ```
///
/// Each action takes one path: this actor runs an authenticator, sends requests through the transport, and
/// commits the result in one transaction; readers see the computed state. Nothing is kept in memory that is not
/// in the book.
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
/// - ``deviceLogins()``
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
public actor SessionBook {
  /// The writing side; a failure where the book can be read but not be written.
  let store: Result<EventStore, GatebookError>
  let reader: BookReader
  let transport: any Transport
  let suffixes: (any PublicSuffixes)?
  let clock: any BookClock
  let random: any RandomSource
  let wait: Duration
  /// Hears how logins end.
  var loginDelegate: (any LoginDelegate)?
  /// Who decides about challenges.
  var resolvers = ResolverRegistry()
  /// What this process remembers of servers that ask sessions for credentials.
  var held: [AccountID: SessionCredentials] = [:]
  /// Logins under way in this process.
  var loggingIn: Set<Person> = []
  /// Logins whose page a `logIn` of this process shows.
  var visiting: Set<SessionID> = []
  /// Redirects that belong to no login.
  var strays = StrayRedirects()
  /// Renewals under way in this process: all who need one wait for the same.
  var renewals: [AccountID: Task<RenewalEnding, Never>] = [:]
  /// Those of them that have their account's lock: only these may have sent something.
  var renewing: Set<AccountID> = []
  /// Whether nobody waits for renewals any more but for their answers.
  var isClosing = false
  /// Whether nothing but what is unsaved needs the file any more.
  private(set) var isDone = false
  /// Renewals that a full disk could not take yet.
  var unsaved: [AccountID: UnsavedRenewal] = [:]
  /// Logins with what is good for one use that the book could not take yet.
  var unsavedLogins: [AccountID: UnsavedLogin] = [:]
  /// How many answers of servers are being written for the first time.
  var answersBeingWritten = 0 {
    didSet { if isDone, answersBeingWritten == 0 { Task { await closeWhenSaved() } } }
  }
  /// Why the last of what is unsaved could not be written.
  var unwrittenReason: GatebookError?
  /// Unsaved logins that are being written.
  var savingLogins: [AccountID: Task<Result<LoggedIn?, GatebookError>, Never>] = [:]
  /// When requests wait for renewals.
  let renewalPolicy: RenewalPolicy
  /// Delivers what waits for servers, while something does.
  var courier: Task<Void, Never>?
  /// Whether something came to wait since the courier began its round.
  var hasNewDeliveries = false
  /// Hears of the network coming and going.
  var networkWatch: Task<Void, Never>?
  /// Waits for the network to settle, then catches up.
  var catchingUp: Task<Void, Never>?
  /// The authorization managers that somebody holds, by account.
  var authorizations: [AccountID: WeakAuthorization] = [:]
  /// The client registrations without an account that managers of this book use, by where they are
  /// kept.
  var claims: [SessionID: RegistrationClaim] = [:]
  /// Takes of cookies under way: each waits for the one before it.
  var cookieTurns: [AccountID: Task<Void, Never>] = [:]
  /// When what a renewal brought was last to be checked, by the boot-time clock.
  var renewalChecks: [AccountID: Duration] = [:]
  /// When servers last answered anything.
  var answers: [Origin: Moment] = [:]
  /// The sessions whose server has answered 400 to a request since it last confirmed them.
  var questioned: Set<SessionID> = []
  /// When the server was last asked about such an answer, by the boot-time clock.
  var questions: [SessionID: Duration] = [:]
  /// What servers publish for everybody.
  var documents = PublishedDocuments()

  init(
    store: Result<EventStore, GatebookError>, reader: sending BookReader, transport: any Transport,
    suffixes: (any PublicSuffixes)?, clock: any BookClock, random: any RandomSource,
    wait: Duration, renewalPolicy: RenewalPolicy
  ) {
    self.renewalPolicy = renewalPolicy
    self.store = store
    self.reader = reader
    self.transport = transport
    self.suffixes = suffixes
    self.clock = clock
    self.random = random
    self.wait = wait
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
  ///   - network: Reports when the network is back: the book then does what ``sync(_:)`` does, unless its
  ///     renewal policy is ``RenewalPolicy/beforeUse``. `nil` for no reports.
  /// - Returns: The open book. A read-only book (read-only media, a full disk) opens too: calls that write then
  ///   throw the reason, but ``restore(_:)`` works.
  /// - Throws: A `storage` or `key` failure; nothing was changed.
  public static func open(
    at path: String, key: any KeySource, program: Program, transport: any Transport,
    suffixes: (any PublicSuffixes)? = nil, clock: any BookClock = SystemClock(),
    random: any RandomSource = SystemRandom(), wait: Duration = .seconds(10),
    renewalPolicy: RenewalPolicy = .inBackground,
    network: (any NetworkMonitor)? = NetlinkMonitor()
  ) async throws(GatebookError) -> SessionBook {
    let store: Result<EventStore, GatebookError>
    do throws(GatebookError) {
      store = .success(
        try await EventStore.open(
          at: path, key: key, program: program, clock: clock, random: random, wait: wait))
    } catch {
      store = .failure(error)
    }
    let reader =
      switch store {
      case .success(let opened): try opened.makeReader()
      case .failure(let error): try read(path, key, unless: error)
      }
    let book = SessionBook(
      store: store, reader: reader, transport: transport, suffixes: suffixes, clock: clock,
      random: random, wait: wait, renewalPolicy: renewalPolicy)
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
  /// A book that is not closed loses nothing; its last events are then in the `-wal` file. There is one
  /// exception: if the book cannot be written when a server grants something, the program loses that when it
  /// ends. See ``waitUntilWritten(_:)``.
  public func close() async {
    await stopCatchingUp()
    courier?.cancel()
    await courier?.value
    await settleRenewals()
    for account in unsaved.keys { try? await saveHeldRenewal(of: account) }
    for account in unsavedLogins.keys {
      if let loggedIn = try? await saveHeldLogin(of: account) { await tell(loggedIn.news) }
    }
    await endOwnRegistrations()
    isDone = true
    await closeWhenSaved()
    // Not before: until now a manager could answer under what it holds.
    claims = [:]
  }

  /// Closes the file; where a server's grant is not on the disk yet, whoever writes it closes it then.
  func closeWhenSaved() async {
    guard isDone, !hasUnwrittenGrants, case .success(let store) = store else { return }
    await store.close()
  }

  /// Records all of an append, durably, or nothing of it.
  @discardableResult
  func commit(_ append: Append) async throws(GatebookError) -> Receipt {
    try await store.get().append(append)
  }

  /// Records what a person wants: not when they have cancelled it while others held the book.
  @discardableResult
  func commitUnlessCancelled(_ append: Append) async throws(GatebookError) -> Receipt {
    var append = append
    append.mayBeGivenUp = true
    return try await commit(append)
  }

  /// Drives an authenticator to its end, with this book's effects.
  func run(
    _ machine: any Authenticator, from first: Input.Happening = .start,
    in conversation: Conversation, isWanted: (@Sendable () async -> Bool)? = nil,
    keep: (@Sendable (any RedirectAuthenticator) async -> Void)? = nil
  ) async -> AuthenticatorRun.Ending {
    var run = AuthenticatorRun(
      conversation: conversation, suffixes: suffixes, clock: clock, random: random,
      isWanted: isWanted, keep: keep)
    return await run.run(machine, from: first)
  }

  func newSession() throws(GatebookError) -> SessionID {
    guard let id = SessionID(bytes: random.bytes(16)) else { throw .noRandomness }
    return id
  }

  func newAccount() throws(GatebookError) -> AccountID {
    guard let id = AccountID(bytes: random.bytes(16)) else { throw .noRandomness }
    return id
  }
}
