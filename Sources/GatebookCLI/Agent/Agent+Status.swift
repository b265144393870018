internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem

extension Agent {
  /// What the agent is, and what it has done.
  var status: JSON {
    get async {
      let uses = uses.programs.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
      let programs = uses.map { path, use -> JSON in
        .present([
          "program": .text(path), "process": .integer(Int64(use.process)),
          "answers": .integer(Int64(use.count)),
        ])
      }
      let notTaken = server?.counts.refused.values.reduce(0, +) ?? 0
      let isLocked: Bool
      var (renewed, waiting): (Int?, Int?)
      var reason: String?
      switch state {
      case .open(let opened):
        isLocked = false
        renewed = try? await renewedAccounts(opened.lent.book)
        waiting = try? await opened.lent.book.waitingDeliveries()
      case .locked(let error):
        isLocked = true
        reason = error?.message
      }
      return .present([
        "process": .integer(Int64(ThisProcess.id)), "version": .text(CommandTable.version),
        "book": .text(call.globals.book), "locked": .bool(isLocked), "since": .time(since),
        "reason": reason.map { .text($0) }, "started": .time(started), "programs": .list(programs),
        "requests": .integer(Int64(self.uses.requests)),
        "refused": .integer(Int64(self.uses.refused + notTaken)),
        "renewed": renewed.map { .integer(Int64($0)) },
        "waiting": waiting.map { .integer(Int64($0)) },
      ])
    }
  }

  /// How many accounts this process has renewed: the log says it.
  private func renewedAccounts(_ book: SessionBook) async throws(GatebookError) -> Int {
    let renewals = try await book.events(
      matching: EventFilter(
        kind: EventKind.refreshSucceeded.rawValue, since: started, after: firstPosition,
        limit: 10_000))
    return Set(renewals.filter { $0.writer.process == Int64(ThisProcess.id) }.compactMap(\.account))
      .count
  }
}
