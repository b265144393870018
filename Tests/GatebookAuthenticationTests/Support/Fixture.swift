internal import GatebookAuthentication
internal import GatebookEvents
internal import Testing

/// Recorded samples that are built into the tests.
enum Fixture {
  /// The value of a JSON file; `null`, which no sample is, and a failure for anything else.
  static func read(_ bytes: [UInt8]) -> FactValue {
    guard let value = JSONDocument.read(bytes) else {
      Issue.record("a fixture is no JSON")
      return .null
    }
    return value
  }
}
