/// A transport that opens no connection while the app knows that there is no network.
///
/// ```swift
/// let transport = ReachabilityTransport(CurlTransport())
/// let book = try await SessionBook.open(at: path, key: key, program: mail, transport: transport)
/// await transport.setNetworkReachable(false)  // logins fail as network.unreachable at once
/// ```
///
/// Source: FCSDK for iOS, `setNetworkReachable`.
public actor ReachabilityTransport: Transport {
  private let transport: any Transport
  private var isReachable = true

  /// Puts a switch before a transport; it is on.
  public init(_ transport: any Transport) {
    self.transport = transport
  }

  /// As the transport behind it.
  public nonisolated var isStreaming: Bool { transport.isStreaming }

  /// Tells whether there is a network; requests under way go on.
  public func setNetworkReachable(_ isReachable: Bool) {
    self.isReachable = isReachable
  }

  /// Sends a request, or refuses it as not sent.
  public func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    guard isReachable else { throw Self.unreachable }
    return try await transport.send(request, through: route)
  }

  private static let unreachable = TransportFailure(
    GatebookError(
      .networkUnreachable, "The app says that there is no network.",
      kept: "Sessions are as before; nothing was sent.",
      remedy: "Try again when the network is back."),
    delivery: .notSent)
}
