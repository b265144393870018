public import Gatebook
internal import GatebookSystem

/// Verifies the histories of a fleet: it computes every leaf and every root again, in parallel.
///
/// ```swift
/// let verdict = try await FleetVerifier(access).verify()
/// if !verdict.ok { print(verdict.histories.filter { !$0.ok }) }
/// ```
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
  ///   - progress: Called with the number of verified events and the total.
  /// - Returns: The verdict; rows that were changed are not an error but a verdict that is not
  ///   `ok`.
  /// - Throws: `configuration.invalid` for a name that no book has; `fleet.unreachable` for one
  ///   that may be on a server that does not answer; other `fleet` failures; `cancelled`.
  public func verify(
    book name: String? = nil, branch: Int? = nil,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> FleetVerdict {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(GatebookError) in
      let (chosen, reach) = try choose(name, branch)
      let queue = BookQueue(chosen, alsoUnknown: name == nil && branch == nil, progress)
      let missing = reach?.missingParts ?? []
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<min(ThisProcess.coreCount, queue.count) {
          group.addTask { work(queue, besides: missing) }
        }
      }
      var verdict = try queue.verdict(branch)
      verdict.missing = reach?.missing ?? []
      return verdict
    }
  }

  /// The histories that are wanted, and which books can be asked; `nil` where that does not matter.
  private func choose(
    _ name: String?, _ branch: Int?
  ) throws(GatebookError) -> (histories: [FleetBook], reach: FleetReach?) {
    let connection = try FleetConnection.open(access)
    let listed = try FleetBook.list(connection, named: name)
    let chosen = listed.filter { branch == nil || $0.branch == branch }
    if chosen.isEmpty, name != nil || branch != nil {
      throw try connection.notFound(Self.unknown(name, branch), in: name)
    }
    return (chosen, FleetReach.isWhole(name) ? nil : try connection.reach())
  }

  /// Takes books from the queue until there is none, over one connection.
  private func work(_ queue: BookQueue, besides missing: [Int64]) {
    do throws(GatebookError) {
      let connection = try FleetConnection.open(access)
      connection.postgres.patience = Self.patience
      while let work = queue.next() {
        switch work {
        case .unknown: queue.found(try UnknownRows.all(besides: missing, connection))
        case .book(let book):
          let check = BookCheck(
            book: book, connection: connection, looksForUnknown: !queue.looksForUnknown
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
      remedy: "`gatebook fleet books` lists all books."
    ).with(\.setting, "book")
  }
}
