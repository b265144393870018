internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookStore

/// Requests for what servers publish for everybody, such as their metadata: answered from what is
/// known where that will do.
final class Documents {
  let ledger: Ledger
  /// What is known.
  var published = PublishedDocuments()

  init(_ ledger: Ledger) {
    self.ledger = ledger
  }

  /// How a request for a server's document continues.
  enum DocumentPassage {
    /// It is sent; when it was let go.
    case go(Timestamp)
    /// This answer will do.
    case recalled(HTTPReply)
  }

  /// Lets a request for what a server publishes pass, or answers it.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - recall: When a known answer will do.
  ///   - limit: How long it may wait for somebody who asks already.
  /// - Returns: Whether it is sent.
  /// - Throws: `server.unavailable` where it comes too early and there is no answer, `cancelled`;
  ///   it was not sent.
  func pass(
    _ line: PublishedDocuments.Line, _ recall: Recall, within limit: Duration
  ) async throws(TransportFailure) -> DocumentPassage {
    var waited = Duration.zero
    while true {
      let now = ledger.clock.now().wall
      switch published.judge(line, recall, stored: stored(line), at: now) {
      case .go:
        guard case .within(let spacing) = recall else { return .go(now) }
        if await demand(line, at: now, spacing) { return .go(now) }
      case .recalled(let reply): return .recalled(reply)
      case .refused: throw TransportFailure(.askedAMomentAgo, delivery: .notSent)
      case .wait(let patience):
        guard waited < min(limit, patience ?? limit) else {
          throw TransportFailure(.askedAMomentAgo, delivery: .notSent)
        }
        waited += Self.pollInterval
        await ledger.clock.pause(for: Self.pollInterval)
        guard !Task.isCancelled else {
          throw TransportFailure(GatebookError.cancelledByCaller, delivery: .notSent)
        }
      }
    }
  }

  /// Takes the end of a request that was let go.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - asked: When it was let go.
  ///   - reply: The answer, if it is good for others too.
  ///   - isSent: Whether the server was asked at all; else the line is open again.
  func end(
    _ line: PublishedDocuments.Line, _ asked: Timestamp, with reply: HTTPReply?, isSent: Bool
  ) async {
    let answer = reply.flatMap { KeptAnswer($0, asked: asked, at: ledger.clock.now().wall) }
    var unwritten: KeptAnswer?
    if let answer, await !keep(answer, line) { unwritten = answer }
    // Nobody is to wait for what nobody else will get.
    let isOpen = !isSent || reply.map(KeptAnswer.isTooLarge) ?? false
    if answer == nil, published.isDemanded(line, at: asked) {
      await write(line) {
        isOpen ? .withdrawDemand($0, madeAt: asked) : .failDemand($0, madeAt: asked)
      }
    }
    published.end(line, asked, unwritten: unwritten, isAnswered: answer != nil, isOpen: isOpen)
  }

  /// Writes an answer down, unless the file has one that says the same, or was asked for later.
  ///
  /// - Returns: Whether other programs know it, or what is newer.
  private func keep(_ answer: KeptAnswer, _ line: PublishedDocuments.Line) async -> Bool {
    guard let content = answer.record?.encoded else { return true }
    for _ in 1...Ledger.maximumTurns {
      guard let known = try? ledger.reader.document(line.parts) else { return false }
      guard isNews(answer, Self.known(known.kept)) else { return true }
      let change = Append.VaultChange.keepDocument(
        known.name, fresh: answer.fresh, content: content, after: known.kept?.sealed)
      do throws(GatebookError) {
        try await ledger.commit(Append([], vault: [change]))
        return true
      } catch {
        // Another program was faster: its answer may be the newer one.
        guard error.code == .preconditionFailed else { return false }
      }
    }
    return false
  }

  /// Writes down, before anybody is asked, that a document is demanded: so no other program asks,
  /// whatever becomes of this one.
  ///
  /// - Returns: `false` where another one was faster.
  private func demand(
    _ line: PublishedDocuments.Line, at now: Timestamp, _ spacing: Duration
  ) async -> Bool {
    published.begin(line, at: now)
    do throws(GatebookError) {
      let name = try ledger.reader.document(line.parts).name
      try await ledger.commit(
        Append([], vault: [.demandDocument(name, at: now, spacing: spacing)]))
      return true
    } catch {
      // A book that cannot be written keeps nobody from asking: this process knows.
      guard error.code == .preconditionFailed else { return true }
      published.end(line, now, unwritten: nil, isAnswered: false, isOpen: true)
      return false
    }
  }

  /// Whether an answer says anything that the file does not have: most logins bring the same.
  private func isNews(_ answer: KeptAnswer, _ stored: PublishedDocuments.Known) -> Bool {
    guard let kept = stored.answer else { return true }
    // What was asked for later is newer, unless the clock was set back since.
    if kept.asked > answer.asked, kept.asked <= ledger.clock.now().wall { return false }
    guard kept.isSame(answer), answer.fresh <= answer.asked else { return true }
    return kept.asked < stored.demanded ?? kept.asked || answer.asked < kept.asked
      || answer.asked - kept.asked > .seconds(3600)
  }

  /// What the book's file has; a book that cannot be read has nothing.
  func stored(_ line: PublishedDocuments.Line) -> PublishedDocuments.Known {
    Self.known((try? ledger.reader.document(line.parts))?.kept)
  }

  private static func known(_ kept: KeptDocument?) -> PublishedDocuments.Known {
    guard let kept else { return PublishedDocuments.Known() }
    let answer = kept.content.flatMap { Facts(decoding: $0) }.flatMap { KeptAnswer(record: $0) }
    // Facts in the clear may only shorten the lifetime in the encrypted answer.
    return PublishedDocuments.Known(
      demanded: kept.demanded, answer: answer, fresh: answer.map { min($0.fresh, kept.fresh) },
      vain: kept.vain)
  }

  /// Writes a change of what is known; what cannot be written is not known to other programs.
  private func write(
    _ line: PublishedDocuments.Line, _ change: (DocumentName) -> Append.VaultChange
  ) async {
    guard let name = try? ledger.reader.document(line.parts).name else { return }
    _ = try? await ledger.commit(Append([], vault: [change(name)]))
  }

  private static let pollInterval = Duration.milliseconds(50)
}
