internal import Gatebook

extension Examination {
  private static let patience = Duration.seconds(3)

  /// Whether the accounts' servers are there: each is asked once, by nobody, all at a time.
  ///
  /// Any answer will do. The accounts' trust is encrypted: an account may have accepted a
  /// certificate that this machine does not trust.
  func servers(_ accounts: [SessionContext]) async -> [Observation] {
    let names = Set(accounts.filter { $0.state != .ended(.erased) }.map(\.server)).sorted()
    var command = CommandTransport.curl(call)
    command.limit = min(call.globals.wait, Self.patience)
    let transport = command
    return await withTaskGroup(of: Observation.self) { group in
      for name in names {
        guard let url = HTTPURL(name + "/") else { continue }
        group.addTask { await Self.look(at: name, url, transport) }
      }
      var found: [Observation] = []
      for await observation in group { found.append(observation) }
      return found.sorted { $0.subject < $1.subject }
    }
  }

  private nonisolated static func look(
    at name: String, _ url: HTTPURL, _ transport: CommandTransport
  ) async -> Observation {
    do throws(TransportFailure) {
      var route = Route(pool: "doctor")
      // Nobody's secret is sent, and a server without TLS was allowed at its login.
      route.allowsCleartext = true
      _ = try await transport.send(.get(url), through: route)
      return .good(name, "The server answers.")
    } catch {
      switch error.error.code {
      case .tlsUntrusted, .tlsKeyChanged:
        return .note(
          name, "The server answers, but this machine does not trust its certificate.",
          "This is fine if the account has accepted its key: see `gatebook trust list`.")
      case .limitExceeded, .contentUnexpected:
        return .good(name, "The server answers.")
      default:
        return .note(
          name, "The server could not be reached. Sessions are kept.",
          "Check the network and the server's name. `gatebook restore` works offline.")
      }
    }
  }
}
