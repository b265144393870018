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

  /// Wraps a transport; the network counts as reachable at first.
  public init(_ transport: any Transport) {
    self.transport = transport
  }

  /// Whether the transport that it wraps streams.
  public nonisolated var isStreaming: Bool { transport.isStreaming }

  /// Reports whether there is a network; running requests continue.
  public func setNetworkReachable(_ isReachable: Bool) {
    self.isReachable = isReachable
  }

  /// Sends a request, or fails it as not sent.
  public func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    guard isReachable else { throw Self.unreachable }
    return try await transport.send(request, through: route)
  }

  private static let unreachable = TransportFailure(
    GatebookError(
      .networkUnreachable, "The app reported that there is no network.",
      kept: "No session was changed; nothing was sent.",
      remedy: "Try again when the network is back."),
    delivery: .notSent)
}
