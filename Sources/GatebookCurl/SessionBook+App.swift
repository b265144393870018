public import Gatebook

extension SessionBook {
  /// Opens the book of an app at the place where a desktop keeps an app's data, or creates it.
  ///
  /// ```swift
  /// let book = try await SessionBook.open(app: "mail", version: "2.1")
  /// ```
  ///
  /// The folder is `$XDG_DATA_HOME/mail`, or `~/.local/share/mail` if that variable is not set. It
  /// is made for its owner alone (mode 0700). In it are:
  ///
  /// - `sessions.gatebook`, the book;
  /// - `sessions.key`, its master key, unless `key` is given. A copy of the folder has both: give
  ///   another source, such as ``AutomaticKey``, if the folder is synchronized or backed up;
  /// - `installation`, the identity of this installation, made at the first start and read back
  ///   from then on.
  ///
  /// It is part of GatebookCurl, because this product has the transport and the public suffixes
  /// that most apps use.
  /// ``SessionBook/open(at:key:program:transport:suffixes:clock:random:wait:renewalPolicy:network:)``
  /// opens a book anywhere else.
  ///
  /// - Parameters:
  ///   - app: The app's name, which every event names: 1 to 64 bytes without `/`, and no dot in
  ///     front.
  ///   - version: The app's version.
  ///   - key: The source of the book's master key; `nil` is the file in the folder.
  ///   - transport: Sends requests.
  ///   - suffixes: Public suffixes for cookies; `nil`, also where libpsl is missing, is stricter: a
  ///     cookie's domain must be the host.
  ///   - clock: The time.
  ///   - random: Keys, nonces and identities.
  ///   - wait: How long to wait for other processes.
  ///   - renewalPolicy: Whether requests wait for renewals that are due, but not needed yet.
  ///   - network: Reports when the network is back; `nil` for no reports.
  /// - Returns: The open book.
  /// - Throws: `configuration.invalid` for a name that cannot name a folder, or if the folder
  ///   cannot be found. `storage.readOnly`, `storage.full` or `storage.damaged` for the folder or
  ///   the identity of the installation. What opening a book throws.
  public static func open(
    app: String, version: String = "1", key: (any KeySource)? = nil,
    transport: any Transport = CurlTransport(),
    suffixes: (any PublicSuffixes)? = PublicSuffixList(), clock: any BookClock = SystemClock(),
    random: any RandomSource = SystemRandom(), wait: Duration = .seconds(10),
    renewalPolicy: RenewalPolicy = .inBackground,
    network: (any NetworkMonitor)? = NetlinkMonitor()
  ) async throws(GatebookError) -> SessionBook {
    try await open(
      app: app, in: try AppFolder(of: app), version: version, key: key, transport: transport,
      suffixes: suffixes, clock: clock, random: random, wait: wait, renewalPolicy: renewalPolicy,
      network: network)
  }

  /// Opens the book of an app in a folder, which is made if it is missing.
  package static func open(
    app: String, in folder: AppFolder, version: String, key: (any KeySource)?,
    transport: any Transport, suffixes: (any PublicSuffixes)?, clock: any BookClock,
    random: any RandomSource, wait: Duration, renewalPolicy: RenewalPolicy,
    network: (any NetworkMonitor)?
  ) async throws(GatebookError) -> SessionBook {
    try folder.make()
    return try await open(
      at: folder.book, key: key ?? KeyFile(path: folder.key),
      program: Program(
        name: app, version: version, installation: try folder.installation(random: random)),
      transport: transport, suffixes: suffixes, clock: clock, random: random, wait: wait,
      renewalPolicy: renewalPolicy, network: network)
  }
}
