package import Gatebook

/// A server of a fleet that did not answer: an answer lacks the books that lie there.
///
/// How many these are is not known, because each server alone knows its books.
public struct MissingServer: Hashable, Sendable {
  /// Its name in the fleet.
  public let name: String
  /// `HOST:PORT/DATABASE`.
  public let place: String
  /// The numbers of its parts, from 0 to 63, in ascending order.
  public let parts: [Int]
  /// Why it did not answer, in the words of the coordinator.
  public let reason: String
}

/// Takes the servers that an answer lacks.
public typealias MissingServerReader = @Sendable ([MissingServer]) -> Void

extension GatebookError {
  /// The failure of an answer that is not whole.
  ///
  /// - Parameters:
  ///   - servers: The servers that did not answer; at least one.
  ///   - kept: What the answer has all the same.
  /// - Returns: `fleet.unreachable`.
  package static func missing(_ servers: [MissingServer], kept: String) -> GatebookError {
    let names = servers.map { "\($0.name) (\($0.place))" }.joined(separator: ", ")
    let subject = servers.count == 1 ? "A server of the fleet does" : "Servers of the fleet do"
    let parts = servers.reduce(0) { $0 + $1.parts.count }
    return GatebookError(
      .fleetUnreachable,
      "\(subject) not answer: \(names). \(parts) of the \(FleetSchema.parts) parts are there.",
      kept: kept,
      remedy:
        "Start the server, or check the network between it and the coordinator. Then ask again.",
      cause: servers.first?.reason)
  }
}
