/// What a proxy has done so far.
package struct ProxyCounts: Sendable, Equatable {
  /// How many requests were sent to the server.
  package var forwarded = 0
  /// How many requests were not, by the reason.
  package var refused: [ProxyRefusal: Int] = [:]

  package init() {}
}

/// The program that made a connection, where the system tells it.
package struct AskingProgram: Sendable, Hashable {
  /// The number of its process.
  package let process: Int32
  /// The name of its process; `nil` for one that has gone.
  package let name: String?

  package init(process: Int32, name: String?) {
    self.process = process
    self.name = name
  }
}
