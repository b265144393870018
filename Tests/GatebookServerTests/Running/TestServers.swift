internal import Foundation
internal import Testing

/// What `tools/test` started for these tests.
enum TestServers {
  /// Why the tests are left out of a plain `swift test`.
  static let reason: Comment = "run by tools/test, which starts the real servers"

  static var areRunning: Bool {
    apache != nil && oauth1 != nil && oauth2 != nil && folder != nil
  }

  /// Where the Apache for all tests that leave it alone keeps its state.
  static var apache: String? { variable("GATEBOOK_TEST_APACHE") }

  /// The same of the OAuth 1.0a server.
  static var oauth1: String? { variable("GATEBOOK_TEST_OAUTH1") }

  /// The same of the OAuth 2 server.
  static var oauth2: String? { variable("GATEBOOK_TEST_OAUTH2") }

  /// How long many accounts crowd one book.
  static var crowdedSeconds: String { variable("GATEBOOK_TEST_CROWDED_SECONDS") ?? "60" }

  /// For what is run beside Gatebook: the programs of the system and where the user's caches are.
  static var environment: [String: String] {
    var environment = ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8"]
    for name in ["HOME", "XDG_CACHE_HOME"] { environment[name] = variable(name) }
    return environment
  }

  /// Whatever is started below it is ended by `tools/test`, however the tests end.
  private static var folder: String? { variable("GATEBOOK_TEST_SERVERS") }

  /// Makes a new folder, among the servers where there are some.
  static func folder(_ name: String) throws -> String {
    let path = (folder ?? "/tmp") + "/gatebook-\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// The top of the sources.
  static var sources: String {
    URL(filePath: #filePath).appending(path: "../../../..").standardized.path
  }

  private static func variable(_ name: String) -> String? {
    ProcessInfo.processInfo.environment[name]
  }
}
