internal import Gatebook

/// `gatebook why`.
struct WhyCommand: Command {
  static let help = Help(
    "why", "Explain the state of an account, or why an event happened.", in: .audit,
    details: [
      "The oldest cause comes first, each with its time and position. The last line says "
        + "what to do now.",
      "With a position, --account only checks that the event belongs to that account.",
      ToldEvents.help,
    ],
    positionals: [.accountOrPosition],
    examples: ["gatebook why work", "gatebook why 1432"], isAudit: true, isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    reader.heedCancellation()
    let explanation = try explanation(call, reader)
    let context = try explanation.account.flatMap {
      try reader.context(of: $0, at: call.now)
    }
    let past = try reader.continuation()
    var isMissing = false
    if let unknown = explanation.unknown {
      if unknown <= past?.archived ?? .start {
        call.output.message(
          past?.isForgotten == true
            ? "The cause, at position \(unknown), was forgotten by the fleet that this copy is from."
            : "The cause is in the archive\(PastRendering.place(ofArchiveWith: unknown, reader)), at "
              + "position \(unknown): read it with `--book`.")
      } else if past?.lost.contains(where: { $0.contains(unknown) }) == true {
        call.output.message(
          "The cause, at position \(unknown), was lost before the book was recovered"
            + (past?.lostCount ?? 0 > 1
              ? ", as were other events: `gatebook verify` lists them." : "."))
      } else {
        isMissing = true
      }
    }
    let place = ExplanationRendering.Place(
      options: call.givenPlace, isArchive: try reader.isArchive(),
      // A passphrase is not asked for by those who only look.
      lacksKey: call.globals.key == .automatic && !reader.hasKey
        && reader.keySource != "passphrase",
      // Where they cannot be read the answer does without.
      settings: context.flatMap { try? reader.savedSettings(of: $0.account) },
      trust: context.flatMap { try? reader.trust(of: $0.account) },
      demanded: context.flatMap { try? reader.demandedStepUp(of: $0.account) }?.scopes ?? [],
      granted: context.flatMap { try? reader.scopes(of: $0) } ?? [],
      listed: context.flatMap { try? reader.offers(of: $0.account)?.scopes } ?? []
    )
    let objects = ExplanationRendering.json(explanation, of: context, in: place)
    if !call.output.tells(programs: objects) {
      call.output.lines(
        ExplanationRendering.lines(
          explanation, of: context, in: place, call.output.times, columns: call.output.columns))
    }
    if isMissing, let unknown = explanation.unknown { throw ToldEvents.missing(unknown) }
    try ToldEvents.check(explanation.events.map(\.position), reader)
    return .done
  }

  /// The login, or what else explains it, where there is no account yet; `nil` where there is one,
  /// or where nobody has tried to log in.
  @MainActor private static func firstLogin(
    _ call: Call, _ reader: BookReader
  ) throws -> Position? {
    guard call.globals.account == nil, try reader.accounts(at: call.now).isEmpty else { return nil }
    let last = try Self.lastEndOfLogin(reader)
    if let start = try reader.last(.loginStarted).last,
      try last.map({ $0.position < start.position }) ?? true
        || reader.why(start.position, at: call.now)?.advice == .resume
    {
      return start.position
    }
    return last?.position
  }

  /// How the last login ended, or a redirect that no login awaited.
  private static func lastEndOfLogin(_ reader: BookReader) throws -> RecordedEvent? {
    // How a question of a login was answered its own end tells.
    try [EventKind.loginFailed, .loginCancelled, .challengeFailed].flatMap { kind in
      try reader.last(kind).filter { kind != .challengeFailed || $0.session == nil }
    }.max { $0.position < $1.position }
  }

  @MainActor private func explanation(
    _ call: Call, _ reader: BookReader
  ) throws -> Explanation {
    guard let text = call.arguments[.accountOrPosition] else {
      if let login = try Self.firstLogin(call, reader),
        let explanation = try reader.why(login, at: call.now)
      {
        return explanation
      }
      let account = try call.account(reader).account
      guard let explanation = try reader.why(account, at: call.now) else {
        throw UsageError("This account is not in the book.", remedy: "See `gatebook accounts`.")
      }
      return explanation
    }
    let position = try EventPosition.read(text)
    guard let explanation = try reader.why(position, at: call.now) else {
      throw try EventPosition.missing(position, reader)
    }
    if let named = try call.namedAccount(reader), explanation.account != named.account {
      throw EventPosition.foreign
    }
    return explanation
  }
}
