internal import GatebookEvents

extension Program {
  /// Who writes here.
  static let crashing = Program(
    name: "crashing-writer", version: "1", installation: InstallationID(high: 0xC, low: 0xC))
}
