package import GatebookCrypto
package import GatebookEvents

/// Computes the state of a book after some of the events that a fleet has of it, as a book begins
/// with it whose past is not there.
///
/// ```
/// draft -> what the history begins with -> events -> state -> rows
/// ```
///
/// The events may lack their encrypted facts: nothing is folded of those. The draft is removed with
/// its object.
package final class PulledState {
  private let draft: DraftFile
  private let log: PulledLog
  private let lacksEvents: Bool
  /// The version of the folds that compute the state; 0 where another one has begun.
  private let folds: Int64

  /// Begins.
  ///
  /// - Parameters:
  ///   - place: Where the draft may lie: a path in a private folder.
  ///   - book: The book.
  ///   - past: What the history begins with; `nil` for one that has all of its past.
  ///   - lost: The positions whose events a recovery did not find, in order.
  /// - Throws: `fleet.mismatch` for a beginning that cannot be read; `storage` failures.
  package init(
    at place: String, of book: BookID, after past: PulledPast?, lost: [ClosedRange<Int64>]
  ) throws(GatebookError) {
    let draft = try DraftFile.open(for: place, .state, beside: nil)
    self.draft = draft
    lacksEvents = past?.lacksEvents ?? false
    folds = past?.foldsOfFleet.map { $0 == BookFold.version ? $0 : 0 } ?? BookFold.version
    do throws(GatebookError) {
      log = try PulledLog(try draft.connect(), of: book, past, lost: lost)
    } catch {
      guard error.code == .storageDamaged else { throw draft.purpose.failure(error) }
      throw PullRefusal.damaged("The state that it begins with cannot be read.", of: book)
    }
  }

  /// Adds the next event, in the order of positions.
  ///
  /// - Throws: As ``BookPull/take(_:by:)``.
  package func take(_ event: ShippedEvent, by program: Program) throws(GatebookError) {
    do throws(GatebookError) {
      try log.take(event, by: program)
    } catch {
      throw draft.purpose.failure(error)
    }
  }

  /// Computes the state after the last event.
  ///
  /// - Parameters:
  ///   - size: The position of the last event.
  ///   - root: The root over all events up to there.
  ///   - key: The book's public key.
  /// - Returns: The rows, as ``BookReader/pastRows(hasPersonal:)`` returns those of a book. The
  ///   record of where the book begins also has the key, and the version of the folds.
  ///   Without the encrypted facts of an event that the state names, there is none of these events.
  /// - Throws: `fleet.mismatch` for missing events, and for another root; `storage` failures;
  ///   `cancelled`.
  package func rows(
    upTo size: Int64, root: Digest, key: [UInt8]
  ) throws(GatebookError) -> [ShippedRow] {
    do throws(GatebookError) {
      try log.end(at: size)
      return try rows(size, root, key)
    } catch {
      guard error.code == .storageDamaged else { throw draft.purpose.failure(error) }
      throw PullRefusal.damaged(error.message, of: log.book)
    }
  }

  private func rows(
    _ size: Int64, _ root: Digest, _ key: [UInt8]
  ) throws(GatebookError) -> [ShippedRow] {
    let connection = log.connection
    var folded = try FoldedLog(connection, of: nil)
    let tallies = try folded.foldRest(connection)
    let tree = log.frontier
    guard tree.size == size, tree.root(SHA256()) == root else {
      throw PullRefusal.damaged(
        "The events up to \(size) do not make the root that was verified.", of: log.book)
    }
    let former = try Baseline.read(connection)
    let state = try BaselineState(folded.fold, tallies, connection, isWithheld: lacksEvents)
    let baseline = Baseline(
      floor: size, first: size + 1, frontier: tree, root: root,
      latest: try Baseline.latest(connection, after: former), state: state.root(SHA256()),
      isRecovered: false, isProven: former?.isProven ?? true)
    try BaselineRows(connection).write(state)
    let rows = try ShippedRow.state(
      baseline, connection,
      adding: [
        (PulledPast.checkpointKey, .text(Hex.encode(key))), (PulledPast.folds, .integer(folds)),
      ])
    let events = try ShippedRow.events(connection)
    let isWhole = events.count == state.events.count && events.allSatisfy(\.isWhole)
    return isWhole ? rows + events.map(\.row) : rows
  }
}
