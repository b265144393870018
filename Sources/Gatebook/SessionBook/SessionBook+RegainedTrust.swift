extension SessionBook {
  /// Records that a server is trusted again, after its certificate or key was refused: it has just answered.
  ///
  /// - Parameters:
  ///   - server: Who answered.
  ///   - session: The session whose request it was.
  func recordTrust(in server: Origin, _ session: OpenSession) async {
    guard let position = session.state.distrust, let refusal = try? reader.event(at: position),
      refusal.data["host"]?.text == server.host,
      refusal.data["port"]?.integer == Int64(server.port)
    else { return }
    // The answer is worth more to the caller than its record.
    try? await update(session) { current in
      guard current.state.distrust == position else { return nil }
      return Append([
        current.event(
          .trustDecided, cause: .recorded(position),
          data: [
            "by": "policy", "host": .text(server.host), "port": .integer(Int64(server.port)),
            "verdict": "trusted",
          ])
      ])
    }
  }
}
