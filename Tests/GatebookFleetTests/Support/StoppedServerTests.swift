import Testing

/// Tests that crash or stop a server: they have one of their own, one after the other.
///
/// Each is in the file of what it tests.
@Suite(.serialized) struct StoppedServerTests {
  private static let server = Task { () async throws -> FleetServer in
    try await FleetServer.prepared()
  }

  /// The server, which runs.
  static func running() async throws -> FleetServer {
    let server = try await server.value
    try server.startIfStopped()
    return server
  }
}
