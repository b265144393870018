public import Gatebook
internal import GatebookStore

extension SessionBook {
  /// Ships the book's events to a fleet, with signed checkpoints.
  ///
  /// ```swift
  /// let fleet = FleetAccess(try FleetAddress("postgresql://laptop17@fleet.example.com/sessions"))
  /// try await book.ship(to: fleet)
  /// ```
  ///
  /// - Parameters:
  ///   - access: The fleet.
  ///   - options: What is sent.
  ///   - patience: How long to try again if the fleet is out of reach or full.
  /// - Returns: What was done.
  /// - Throws: As ``BookShipment/ship(patience:news:)``.
  @discardableResult
  public nonisolated func ship(
    to access: FleetAccess, options: ShipmentOptions = ShipmentOptions(), patience: Duration = .zero
  ) async throws(GatebookError) -> ShipReport {
    try await BookShipment(to: access, options, clock) { () async throws(GatebookError) in
      try await self.makeReader()
    }.ship(patience: patience)
  }
}
