public import Gatebook
internal import GatebookSystem

/// Verifies the histories of a fleet: it computes every leaf and every root again, in parallel.
///
/// ```swift
/// let verdict = try await FleetVerifier(access).verify()
/// if !verdict.ok { print(verdict.histories.filter { !$0.ok }) }
/// ```
///
/// Who writes to the fleet's database can replace histories with others, their keys included:
/// only ``FleetHeads`` that were kept elsewhere show that.
///
/// It needs no key and never writes. Of each book it reads one snapshot, so shippers can work
/// meanwhile. The books on a server that does not answer are left out, and the verdict names it.
public struct FleetVerifier: Sendable {
  private let access: FleetAccess
  /// Nothing comes for long while the server looks for rows that belong to no history.
  private static let patience = Duration.seconds(600)

  /// Makes a verifier.
  ///
  /// - Parameter access: The fleet, as an auditor.
  public init(_ access: FleetAccess) {
    self.access = access
  }

  /// Verifies the fleet as it is now, with as many connections as the machine has cores.
  ///
  /// - Parameters:
  ///   - name: Only books of this name: a machine's name, or a book's identity or the beginning of
  ///     one of at least four digits; `nil` for all.
  ///   - branch: Only this history of each book; `nil` for all.
  ///   - kept: Heads that were kept outside of the fleet. A history that names another key, has
  ///     fewer events or another root, or is not there any more, does not agree.
  ///   - foldsStates: Whether the stored states of accounts and sessions are compared with what the
  ///     events say: see ``HistoryVerdict/states``. It takes longer.
  ///   - progress: Called with the number of verified events and the total.
  /// - Returns: The verdict; rows that were changed are not an error but a verdict that is not
  ///   `ok`.
  /// - Throws: `configuration.invalid` for a name that no book has; `fleet.unreachable` for one
  ///   that may be on a server that does not answer; other `fleet` failures; `cancelled`.
  public func verify(
    book name: String? = nil, branch: Int? = nil, against kept: FleetHeads? = nil,
    states foldsStates: Bool = false,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> FleetVerdict {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(GatebookError) in
      let kept = kept.map { KeptHeads($0, named: name, branch: branch) }
      let connection = try FleetConnection.open(access)
      let chosen = try choose(name, branch, kept, connection)
      let reach = FleetReach.isWhole(name) ? nil : try connection.reach()
      let queue = BookQueue(chosen, alsoUnknown: name == nil && branch == nil, progress)
      let missing = reach?.missingParts ?? []
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<min(ThisProcess.coreCount, queue.count) {
          group.addTask { work(queue, besides: missing, kept?.given, foldsStates) }
        }
      }
      var verdict = try queue.verdict(branch)
      verdict.missing = reach?.missing ?? []
      try kept?.complete(&verdict, besides: missing, access)
      return verdict
    }
  }

  /// The histories that are wanted.
  private func choose(
    _ name: String?, _ branch: Int?, _ kept: KeptHeads?, _ connection: FleetConnection
  ) throws(GatebookError) -> [FleetBook] {
    let listed = try FleetBook.list(connection, named: name)
    let chosen = listed.filter { branch == nil || $0.branch == branch }
    if chosen.isEmpty, name != nil || branch != nil {
      let failure = try connection.notFound(Self.unknown(name, branch), in: name)
      // A history that was removed is no wrong name.
      guard failure.code == .configurationInvalid, kept?.isEmpty == false else { throw failure }
    }
    return chosen
  }

  /// Takes books from the queue until there is none, over one connection.
  private func work(
    _ queue: BookQueue, besides missing: [Int64], _ kept: FleetHeads?, _ foldsStates: Bool
  ) {
    do throws(GatebookError) {
      let connection = try FleetConnection.open(access)
      connection.postgres.patience = Self.patience
      while let work = queue.next() {
        switch work {
        case .unknown: queue.found(try UnknownRows.all(besides: missing, connection))
        case .book(let book):
          let check = BookCheck(
            book: book, connection: connection, looksForUnknown: !queue.looksForUnknown,
            kept: kept, foldsStates: foldsStates
          ) { queue.add($0) }
          queue.found(try check.verdicts(), book)
        }
      }
    } catch {
      queue.fail(error)
    }
  }

  private static func unknown(_ name: String?, _ branch: Int?) -> GatebookError {
    let history = branch.map { " with branch \($0)" } ?? ""
    return GatebookError(
      .configurationInvalid, "The fleet has no book\(name.map { " \($0)" } ?? "")\(history).",
      remedy: "`FleetReader.books()` lists all books."
    ).with(\.setting, "book")
  }
}
