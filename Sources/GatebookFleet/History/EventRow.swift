internal import GatebookCrypto
internal import GatebookEvents

/// One event of a fleet, where it lies in a row of `COPY`.
struct EventRow {
  /// The columns of a row, in their order.
  static let columns =
    """
    version, position, revision, at, cause, process, program, withheld, id, account, session, kind, \
    data, sealed, leaf
    """

  /// All that has a fixed size.
  let envelope: CanonicalEvent.Envelope
  /// The number of the program that wrote it.
  let program: Int64
  /// Whether its encrypted facts stayed at home.
  let isWithheld: Bool
  /// The kind's name, UTF-8.
  let kind: UnsafeRawBufferPointer
  /// Canonical JSON, UTF-8.
  let data: UnsafeRawBufferPointer
  /// `nil` when the event has no encrypted facts, or when they stayed at home.
  let sealed: UnsafeRawBufferPointer?
  /// The stored leaf; `nil` where it is none.
  let leaf: Digest?

  /// The event as the folds see it.
  ///
  /// - Parameter kind: Its kind; `nil` for one that this version does not know.
  /// - Returns: The event, as long as the row is there.
  func entry(_ kind: EventKind?) -> LogEntry {
    LogEntry(
      position: Position(rawValue: envelope.position), account: envelope.account,
      revision: envelope.revision, session: envelope.session, kind: kind,
      at: Timestamp(rawValue: envelope.at), data: FactScanner(data))
  }

  /// Reads a piece of the copy; `nil` for what is no row.
  init?(_ piece: UnsafeRawBufferPointer) {
    guard var fields = CopyFields(piece, count: 15) else { return nil }
    let version = fields.integer()
    let position = fields.integer()
    let revision = fields.integer()
    let at = fields.integer()
    let cause = fields.optionalInteger()
    let process = fields.integer()
    program = fields.integer()
    isWithheld = fields.bool()
    let id: EventID? = fields.identity()
    let account: AccountID? = fields.identity()
    let session: SessionID? = fields.identity()
    kind = fields.content()
    data = fields.content()
    sealed = fields.next()
    leaf = Digest(bytes: fields.content())
    guard fields.isComplete, let id else { return nil }
    envelope = CanonicalEvent.Envelope(
      position: position, id: id, account: account, revision: revision, session: session,
      version: version, at: at, cause: cause, process: process)
  }
}
