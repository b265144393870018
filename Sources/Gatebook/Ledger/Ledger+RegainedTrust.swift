extension Ledger {
  /// Records that a server is trusted again, after its certificate or key was refused: it has just
  /// answered.
  ///
  /// - Parameters:
  ///   - server: Who answered.
  ///   - session: The session whose request it was.
  func recordTrust(in server: Origin, _ session: OpenSession) async {
    guard let position = session.state.distrust,
      let refusal = try? reader.event(at: position)?.facts(of: TrustDecided.self),
      refusal.host == server.host, refusal.port == Int64(server.port)
    else { return }
    // The answer is worth more to the caller than its record.
    try? await update(session) { current in
      guard current.state.distrust == position else { return nil }
      return Append([
        current.event(
          TrustDecided(
            by: "policy", "trusted", host: server.host, port: Int64(server.port)),
          cause: .recorded(position))
      ])
    }
  }
}
