internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookStore

extension SessionBook {
  /// How a request for what a server publishes goes on.
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
  /// - Throws: `server.unavailable` where it comes too early and there is no answer, `cancelled`; it was
  ///   not sent.
  func pass(
    _ line: PublishedDocuments.Line, _ recall: Recall, within limit: Duration
  ) async throws(TransportFailure) -> DocumentPassage {
    var waited = Duration.zero
    while true {
      let now = clock.now().wall
      switch documents.judge(line, recall, stored: stored(line), at: now) {
      case .go:
        guard case .within(let spacing) = recall else { return .go(now) }
        if await demand(line, at: now, spacing) { return .go(now) }
      case .recalled(let reply): return .recalled(reply)
      case .refused: throw TransportFailure(.askedAMomentAgo, delivery: .notSent)
      case .wait(let patience):
        guard waited < min(limit, patience ?? limit) else {
          throw TransportFailure(.askedAMomentAgo, delivery: .notSent)
        }
        waited += Self.glance
        guard (try? await Task.sleep(for: Self.glance)) != nil else {
          throw TransportFailure(AuthenticatorRun.cancelled, delivery: .notSent)
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
    let answer = reply.flatMap { KeptAnswer($0, asked: asked, at: clock.now().wall) }
    var unwritten: KeptAnswer?
    if let answer, let content = answer.record?.encoded, isNews(answer, line) {
      let isWritten = await write(line) {
        .keepDocument($0, fresh: answer.fresh, content: content)
      }
      if !isWritten { unwritten = answer }
    }
    if !isSent, documents.isDemanded(line, at: asked) {
      _ = await write(line) { .withdrawDemand($0) }
    }
    documents.end(
      line, asked, unwritten: unwritten, isAnswered: answer != nil, isSent: isSent)
  }

  /// Writes down, before anybody is asked, that a document is demanded: so no other program asks,
  /// whatever becomes of this one.
  ///
  /// - Returns: `false` where another one was faster.
  private func demand(
    _ line: PublishedDocuments.Line, at now: Timestamp, _ spacing: Duration
  ) async -> Bool {
    documents.begin(line, at: now)
    do throws(GatebookError) {
      var append = Append([])
      append.vault = [
        .demandDocument(try reader.document(line.parts).name, at: now, spacing: spacing)
      ]
      try await commit(append)
      return true
    } catch {
      // A book that cannot be written keeps nobody from asking: this process knows.
      guard error.code == .preconditionFailed else { return true }
      documents.end(line, now, unwritten: nil, isAnswered: false, isSent: false)
      return false
    }
  }

  /// Whether an answer says anything that the file does not have: most logins bring the same.
  private func isNews(_ answer: KeptAnswer, _ line: PublishedDocuments.Line) -> Bool {
    let stored = stored(line)
    guard let kept = stored.answer, kept.isSame(answer), answer.fresh <= answer.asked else {
      return true
    }
    return kept.asked < stored.demanded ?? kept.asked || answer.asked < kept.asked
      || answer.asked - kept.asked > .seconds(3600)
  }

  /// What the book's file has; a book that cannot be read has nothing.
  private func stored(_ line: PublishedDocuments.Line) -> PublishedDocuments.Known {
    guard let kept = try? reader.document(line.parts).kept else {
      return PublishedDocuments.Known()
    }
    let answer = kept.content.flatMap { Facts(decoding: $0) }.flatMap { KeptAnswer(record: $0) }
    return PublishedDocuments.Known(
      demanded: kept.demanded, answer: answer, fresh: answer.map { _ in kept.fresh })
  }

  /// Writes a change of what is known; what cannot be written is not known to other programs.
  private func write(
    _ line: PublishedDocuments.Line, _ change: (DocumentName) -> Append.VaultChange
  ) async -> Bool {
    guard let name = try? reader.document(line.parts).name else { return false }
    var append = Append([])
    append.vault = [change(name)]
    return (try? await commit(append)) != nil
  }

  private static let glance = Duration.milliseconds(50)
}
