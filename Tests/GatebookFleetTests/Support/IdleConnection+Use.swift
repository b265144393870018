import Gatebook

@testable import GatebookFleet

extension IdleConnection {
  /// Does something with the kept connection.
  ///
  /// A new one is made where there is none, and where the kept one broke meanwhile. After a failure
  /// none is kept.
  func use<Value>(
    _ access: FleetAccess, _ body: (FleetConnection) throws(GatebookError) -> Value
  ) throws(GatebookError) -> Value {
    if let connection = take() {
      do throws(GatebookError) {
        let value = try body(connection)
        keep(connection)
        return value
      } catch {
        guard error.code == .fleetUnreachable else { throw error }
      }
    }
    let connection = FleetConnection(access.address, try access.connect())
    let value = try body(connection)
    keep(connection)
    return value
  }
}
