internal import Gatebook
internal import GatebookCurl

/// A transport that says what to write on the command line when a server is not trusted, or when a
/// proxy is in the way.
struct TrustHintTransport: Transport {
  /// What sends.
  let transport: any Transport
  /// Which proxy it takes.
  let proxy: CurlTransport.Proxy
  /// Whether it is for a login that names no account.
  let isLogin: Bool

  var isStreaming: Bool { transport.isStreaming }

  func send(
    _ request: HTTPRequest, through route: Route
  ) async throws(TransportFailure) -> HTTPReply {
    do throws(TransportFailure) {
      return try await transport.send(request, through: route)
    } catch {
      throw advised(
        TrustAdvice.added(to: error, trusting: route.trust, isLogin: isLogin),
        proxy.place(for: request.url.origin))
    }
  }

  private func advised(_ failure: TransportFailure, _ proxy: String?) -> TransportFailure {
    guard let proxy, failure.error.code == .networkUnreachable else { return failure }
    var failure = failure
    failure.error.remedy =
      failure.proxy == nil
      ? "\(failure.error.remedy) The environment sets a proxy: `--no-proxy` connects without it."
      : "Add the name and the password to the variable that sets \(proxy), as in "
        + "http://NAME:PASSWORD@HOST:PORT. `--no-proxy` connects without the proxy."
    return failure
  }
}
